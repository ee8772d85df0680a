import { type BaseMessage, SystemMessage } from "@langchain/core/messages";

/**
 * Puts the context behind the app's own system prompt, in one system message: many providers refuse a second one, or one
 * that is not first. Blocks of the app's prompt stay as they are, cache marks included.
 */
export function withContext(system: SystemMessage | undefined, context: string): SystemMessage {
  if (system === undefined || isEmpty(system)) return new SystemMessage(context);
  const { content } = system;
  return withContent(
    system,
    typeof content === "string"
      ? `${content}\n\n${context}`
      : [...content, { type: "text", text: `\n\n${context}` }],
  );
}

/** Folds the context into the messages' first system message, or puts one before them. */
export function foldContext(messages: readonly BaseMessage[], context: string): BaseMessage[] {
  if (context === "") return [...messages];
  const { system, rest } = splitSystem(undefined, messages);
  return [withContext(system, context), ...rest];
}

/** Joins system messages that lead the conversation to the prompt, and gives the rest. */
export function splitSystem(
  prompt: SystemMessage | undefined,
  messages: readonly BaseMessage[],
): { system: SystemMessage | undefined; rest: BaseMessage[] } {
  const end = messages.findIndex((message) => message.getType() !== "system");
  const leading = messages.slice(0, end === -1 ? messages.length : end) as SystemMessage[];
  const systems = [prompt, ...leading].filter((one) => one !== undefined && !isEmpty(one));
  return { system: joined(systems as SystemMessage[]), rest: messages.slice(leading.length) };
}

/** As text where all of them are text; otherwise the blocks of each stay as they are. */
function joined(systems: readonly SystemMessage[]): SystemMessage | undefined {
  const [first, ...others] = systems;
  if (first === undefined || others.length === 0) return first;
  const contents = systems.map(({ content }) => content);
  if (contents.every((content) => typeof content === "string")) {
    return withContent(first, contents.join("\n\n"));
  }
  return withContent(
    first,
    contents.flatMap((content, index) => [
      ...(index === 0 ? [] : [{ type: "text", text: "\n\n" }]),
      ...(typeof content === "string" ? [{ type: "text", text: content }] : content),
    ]),
  );
}

function withContent(system: SystemMessage, content: SystemMessage["content"]): SystemMessage {
  return new SystemMessage({ ...fieldsOf(system), content });
}

function isEmpty({ content }: SystemMessage): boolean {
  return typeof content === "string" ? content === "" : content.every(isEmptyText);
}

function isEmptyText(block: unknown): boolean {
  const { type, text } = (block ?? {}) as { type?: unknown; text?: unknown };
  return type === "text" && text === "";
}

function fieldsOf({ id, name, additional_kwargs, response_metadata }: SystemMessage) {
  return {
    additional_kwargs,
    response_metadata,
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
  };
}
