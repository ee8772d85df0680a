import {
  AIMessage,
  type BaseMessage,
  coerceMessageLikeToMessage,
  HumanMessage,
} from "@langchain/core/messages";
import { isMessage, isMessageList, readMessage } from "./chat-message.js";

type Speaker = "user" | "assistant";

/**
 * Makes messages of what a chain takes or gives: a string, a message, a list of messages, content blocks or a prompt value.
 * An empty list for anything else.
 *
 * @param speaker Who said what bears no role of its own.
 */
export function toMessages(value: unknown, speaker: Speaker): BaseMessage[] {
  if (typeof value === "string") return value === "" ? [] : [said(value, speaker)];
  if (isPromptValue(value)) return value.toChatMessages();
  if (isMessage(value)) return [toMessage(value)];
  if (!Array.isArray(value)) return [];
  if (isMessageList(value)) {
    return value.map((one) => (typeof one === "string" ? said(one, speaker) : toMessage(one)));
  }
  return value.every(isContentBlock) ? [said(value as HumanMessage["content"], speaker)] : [];
}

function said(content: HumanMessage["content"], speaker: Speaker): BaseMessage {
  return speaker === "user" ? new HumanMessage({ content }) : new AIMessage({ content });
}

/** A message of another copy of LangChain, or a plain form of one, becomes one of ours. */
function toMessage(value: unknown): BaseMessage {
  try {
    return coerceMessageLikeToMessage(value as Parameters<typeof coerceMessageLikeToMessage>[0]);
  } catch {
    const message = readMessage(value);
    const fields = { content: message?.text ?? "", ...(message?.id !== undefined && { id: message.id }) };
    return message?.role === "user" ? new HumanMessage(fields) : new AIMessage(fields);
  }
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
