import { withoutOpeningReasoning } from "./reasoning.js";

/**
 * One reading of a message for the whole library. Messages arrive as objects of one or another copy of
 * `@langchain/core`, as `{ role, content }`, as pairs, as strings, as stored or as serialised forms; `instanceof` would
 * know only one of them, so roles are told by `getType()`, by name or by shape.
 */

export type ChatRole = "user" | "assistant" | "system" | "tool" | "summary" | "other";

export interface ChatMessage {
  readonly id: string | undefined;
  readonly role: ChatRole;
  /** Text alone: no reasoning, images, tool calls or tool results. */
  readonly text: string;
  readonly callsTools: boolean;
}

type Fields = Record<string, unknown>;

const roles: Record<string, ChatRole> = {
  user: "user",
  human: "user",
  humanmessage: "user",
  humanmessagechunk: "user",
  assistant: "assistant",
  ai: "assistant",
  aimessage: "assistant",
  aimessagechunk: "assistant",
  model: "assistant",
  system: "system",
  systemmessage: "system",
  developer: "system",
  tool: "tool",
  toolmessage: "tool",
  function: "tool",
};

/** Reads one message of any form; `undefined` for what is no message. A bare string is what the user said. */
export function readMessage(value: unknown): ChatMessage | undefined {
  if (typeof value === "string") return { id: undefined, role: "user", text: value, callsTools: false };
  if (Array.isArray(value)) {
    const [role, content] = value;
    return typeof role === "string" && value.length === 2 ? fromFields({ role, content }) : undefined;
  }
  if (!isFields(value)) return undefined;
  if (value.lc === 1 && isFields(value.kwargs) && Array.isArray(value.id)) {
    return fromFields({ type: value.id.at(-1), ...value.kwargs });
  }
  if (typeof value.type === "string" && isFields(value.data)) {
    return fromFields({ type: value.type, ...value.data });
  }
  return "content" in value ? fromFields(value) : undefined;
}

/** Whether a value is one message of a form that {@link readMessage} knows (a bare string is not). */
export function isMessage(value: unknown): boolean {
  if (typeof value === "string") return false;
  const role = readMessage(value)?.role;
  // LangChain's own message with a role of the app's is a message all the same.
  return role !== undefined && (role !== "other" || typeof (value as Fields).getType === "function");
}

/** A list of messages; a `["human", "hi"]` pair is one message, and a list of content blocks is none. */
export function isMessageList(value: unknown): value is unknown[] {
  if (!Array.isArray(value) || isMessage(value)) return false;
  return value.every((item) => typeof item === "string" || isMessage(item));
}

/** Whether a message ends a turn: one that calls tools is no answer yet. */
export function isAnswer({ role, callsTools }: ChatMessage): boolean {
  return role === "assistant" && !callsTools;
}

/** The text blocks of a content, joined; of a string, the string. */
export function textOfContent(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((block: unknown) => {
      if (typeof block === "string") return block;
      return isFields(block) && block.type === "text" && typeof block.text === "string" ? block.text : "";
    })
    .join("");
}

function fromFields(fields: Fields): ChatMessage {
  const role = roleOf(fields);
  const text = textOfContent(fields.content);
  return {
    id: typeof fields.id === "string" && fields.id !== "" ? fields.id : undefined,
    role,
    text: role === "assistant" ? withoutOpeningReasoning(text) : text,
    callsTools: callsTools(fields),
  };
}

/** Whether LangChain's `summarizationMiddleware` made it. Reads no text: it is asked of each message at each call. */
export function isSummary(message: unknown): boolean {
  const kwargs = isFields(message) ? message.additional_kwargs : undefined;
  return isFields(kwargs) && kwargs.lc_source === "summarization";
}

function roleOf(fields: Fields): ChatRole {
  if (isSummary(fields)) return "summary";
  const names = [typeName(fields), fields.role];
  for (const name of names) {
    const role = typeof name === "string" ? roles[name.toLowerCase()] : undefined;
    if (role !== undefined) return role;
  }
  return "other";
}

function typeName(fields: Fields): unknown {
  const getType = fields.getType ?? fields._getType;
  return typeof getType === "function" ? getType.call(fields) : fields.type;
}

function callsTools(fields: Fields): boolean {
  const kwargs = fields.additional_kwargs;
  const lists = [fields.tool_calls, isFields(kwargs) ? kwargs.tool_calls : undefined];
  return lists.some((list) => Array.isArray(list) && list.length > 0);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
