import type { BaseMessage } from "@langchain/core/messages";
import { isAnswer, readMessage } from "./chat-message.js";

/**
 * What is new of an input that may be a whole conversation: all behind the last answer. A message that calls tools is no
 * answer yet, so a call stays together with its result. The app's system prompt is no part of a conversation.
 */
export function lastWords(said: readonly BaseMessage[]): BaseMessage[] {
  const read = said.map(readMessage);
  const previousAnswer = read.findLastIndex((message) => message !== undefined && isAnswer(message));
  return said.filter((_, index) => index > previousAnswer && read[index]?.role !== "system");
}
