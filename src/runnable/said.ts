import type { BaseMessage } from "@langchain/core/messages";
import { isMessage } from "../messages/chat-message.js";
import { toMessages } from "../messages/to-messages.js";

/** The object with named values that a chain takes or gives; `undefined` for a string, messages or a prompt value. */
export function asValues(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return isMessage(value) || "toChatMessages" in value ? undefined : (value as Record<string, unknown>);
}

/** The messages of what went in or came out; `undefined` where it can't be told which value they are. */
export function messagesOf(
  value: unknown,
  speaker: "user" | "assistant",
  key: string | undefined,
  ignored: string,
): BaseMessage[] | undefined {
  const values = asValues(value);
  if (values === undefined) return toMessages(value, speaker);
  const keys = Object.keys(values).filter((one) => one !== ignored);
  const found = key ?? (keys.length === 1 ? keys[0] : undefined);
  return found !== undefined && found in values ? toMessages(values[found], speaker) : undefined;
}

/** Whether what went in is a conversation of its own, that needs none of ours before it. */
export function isConversation(messages: readonly BaseMessage[]): boolean {
  return messages.some((message) => message.getType() === "ai");
}
