import type { ChatMessage } from "../messages/chat-message.js";

/**
 * Which messages of a completed turn are to be recorded.
 *
 * Only the last turn counts: what follows the last user messages, and these back to the previous assistant message that
 * calls no tool. So a conversation may come whole, shortened, summarised, forked or with new ids each time, and an older
 * message is never looked at twice. The user's words of a turn that failed stand between the last answer and this one
 * and come along; its partial answer does not.
 *
 * @param isKnown Whether this very message (same id, same text) was recorded before, as after a resumed run.
 */
export function newMessages(
  conversation: readonly ChatMessage[],
  isKnown: (message: ChatMessage) => boolean,
): ChatMessage[] {
  const messages = conversation.filter((message) => message.role !== "system" && message.role !== "other");
  const lastUser = messages.findLastIndex((message) => message.role === "user");
  const answer = messages.slice(lastUser + 1);
  if (!isCompleted(answer)) return [];

  const asked = messages.slice(0, lastUser + 1);
  const previousAnswer = asked.findLastIndex((message) => message.role === "assistant" && !message.callsTools);
  const users = asked
    .slice(previousAnswer + 1)
    .filter((message) => message.role === "user" && !isKnown(message));
  // Some servers give every reply the same id, so an answer to new words is new, whatever its id.
  const answers = answer.filter(
    (message) => message.role === "assistant" && (users.length > 0 || !isKnown(message)),
  );
  return [...users, ...answers].filter((message) => message.text.trim() !== "");
}

/** A turn that still waits for a tool (an interrupt) or has no answer is not completed. */
function isCompleted(answer: readonly ChatMessage[]): boolean {
  const last = answer.at(-1);
  return last !== undefined && !(last.role === "assistant" && last.callsTools);
}
