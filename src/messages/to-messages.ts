import {
  AIMessage,
  type BaseMessage,
  coerceMessageLikeToMessage,
  HumanMessage,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
} from "@langchain/core/messages";
import { isMessage, isMessageList, readMessage } from "./chat-message.js";

type Speaker = "user" | "assistant";

/**
 * Makes messages of what a chain takes or gives: a string, a message, a list of messages, content blocks, a prompt value,
 * or any other value (a number, an object of structured output) as JSON. An empty list for what says nothing.
 *
 * @param speaker Who said what bears no role of its own.
 */
export function toMessages(value: unknown, speaker: Speaker): BaseMessage[] {
  if (isPromptValue(value)) return value.toChatMessages();
  if (isMessage(value)) return [toMessage(value)];
  if (isMessageList(value)) {
    return value.flatMap((one) => (typeof one === "string" ? said(one, speaker) : [toMessage(one)]));
  }
  const isBlocks = Array.isArray(value) && value.every(isContentBlock);
  return said(isBlocks ? value : textOf(value), speaker);
}

function said(content: HumanMessage["content"], speaker: Speaker): BaseMessage[] {
  if (content.length === 0) return [];
  return [speaker === "user" ? new HumanMessage({ content }) : new AIMessage({ content })];
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return ""; // It refers to itself, or holds a bigint: no text can be made of it.
  }
}

/** A message of another copy of LangChain, or a plain form of one, becomes one of ours. */
function toMessage(value: unknown): BaseMessage {
  try {
    if (isStored(value)) return mapStoredMessagesToChatMessages([value])[0] ?? new AIMessage("");
    return coerceMessageLikeToMessage(value as Parameters<typeof coerceMessageLikeToMessage>[0]);
  } catch {
    const message = readMessage(value);
    const fields = { content: message?.text ?? "", ...(message?.id !== undefined && { id: message.id }) };
    return message?.role === "user" ? new HumanMessage(fields) : new AIMessage(fields);
  }
}

/** As message histories write them: `{ type, data }`. */
function isStored(value: unknown): value is StoredMessage {
  const { type, data, content } = value as Record<string, unknown>;
  return typeof type === "string" && typeof data === "object" && data !== null && content === undefined;
}

function isPromptValue(value: unknown): value is { toChatMessages(): BaseMessage[] } {
  return (
    typeof value === "object" &&
    value !== null &&
    "toChatMessages" in value &&
    typeof value.toChatMessages === "function"
  );
}

function isContentBlock(value: unknown): boolean {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
