import type { BaseMessage } from "@langchain/core/messages";
import { isMessage, readMessage } from "../messages/chat-message.js";
import { lastWords } from "../messages/last-words.js";

/** The object with named values that a chain takes or gives; `undefined` for a string, messages or a prompt value. */
export function asValues(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return isMessage(value) || isPromptValue(value) ? undefined : (value as Record<string, unknown>);
}

export function isPromptValue(value: unknown): boolean {
  return typeof (value as { toChatMessages?: unknown } | undefined | null)?.toChatMessages === "function";
}

/** Whether what went in is a conversation of its own, that needs none of ours before it. */
export function isConversation(messages: readonly BaseMessage[]): boolean {
  return messages.some((message) => message.getType() === "ai");
}

/** What came out may be the answer, or, as a graph gives it, all messages with what went in among them. */
export function conversationOf(
  said: readonly BaseMessage[],
  answered: readonly BaseMessage[],
): readonly BaseMessage[] {
  return answered.some(isUser) ? answered : [...said, ...answered];
}

/** The user's last words, with what stands between them and the answer before, and all that followed. */
export function lastTurn(conversation: readonly BaseMessage[]): BaseMessage[] {
  const end = conversation.findLastIndex(isUser) + 1;
  const answer = conversation.slice(end).filter((message) => readMessage(message)?.role !== "system");
  return [...lastWords(conversation.slice(0, end)), ...answer];
}

/**
 * What a model may be shown of a kept conversation. Where it called a tool, no result came and the user went on
 * otherwise, that turn is left out: strict servers refuse a call without a result.
 *
 * @param next What comes behind it: a tool's result goes on with the open turn.
 */
export function standingConversation(
  kept: readonly BaseMessage[],
  next: readonly BaseMessage[],
): BaseMessage[] {
  const standing: BaseMessage[] = [];
  let open: BaseMessage[] = [];
  for (const message of kept) {
    if (isUser(message) && open.some(callsTools)) open = [];
    open.push(message);
    if (isReply(message) && !callsTools(message)) {
      standing.push(...open);
      open = [];
    }
  }
  const goesOn = next[0] !== undefined && readMessage(next[0])?.role === "tool";
  return goesOn ? [...standing, ...open] : standing;
}

/** Whether the assistant says something or calls a tool. */
export function isReply(message: BaseMessage): boolean {
  const role = readMessage(message)?.role;
  // LangChain's own message may bear a role of the app's.
  return role === "assistant" || role === "other";
}

export function callsTools(message: BaseMessage): boolean {
  return readMessage(message)?.callsTools === true;
}

function isUser(message: BaseMessage): boolean {
  return readMessage(message)?.role === "user";
}
