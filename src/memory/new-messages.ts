import { type ChatMessage, isAnswer, readMessage } from "../messages/chat-message.js";

/**
 * The end of a conversation that a turn can be made of, read from the last message backwards: a conversation of 10,000
 * messages costs what one of 10 does.
 */
export function readLastTurn(conversation: readonly unknown[]): ChatMessage[] {
  const turn: ChatMessage[] = [];
  let hasUser = false;
  for (let index = conversation.length - 1; index >= 0; index--) {
    const message = readMessage(conversation[index]);
    if (message === undefined) continue;
    if (hasUser && isAnswer(message)) break;
    hasUser ||= message.role === "user";
    turn.push(message);
  }
  return turn.reverse();
}

/**
 * Which messages of a completed turn are to be recorded.
 *
 * Only the last turn counts: what follows the last user messages, and these back to the previous assistant message that
 * calls no tool. So a conversation may come whole, shortened, summarised, forked or with new ids each time, and an older
 * message is never looked at twice. The user's words of a turn that failed stand between the last answer and this one
 * and come along; its partial answer does not.
 *
 * @param lastTurn What {@link readLastTurn} gave.
 * @param isKnown Whether this very message (same id, same text) was recorded before, as after a resumed run.
 */
export function newMessages(
  lastTurn: readonly ChatMessage[],
  isKnown: (message: ChatMessage) => boolean,
): ChatMessage[] {
  const messages = lastTurn.filter(({ role }) => role !== "system" && role !== "other");
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  const answer = messages.slice(lastUser + 1);
  if (!isCompleted(answer)) return [];

  const users = messages
    .slice(0, lastUser + 1)
    .filter((message) => message.role === "user" && !isKnown(message));
  // Some servers give every reply the same id, so what answers new words is new, whatever its id. An earlier answer may
  // still stand before it, where the words that it was given were edited in their place.
  const last = answer.at(-1);
  const isAnswerToThese = (message: ChatMessage) =>
    users.length > 0 && (message === last || message.callsTools);
  const answers = answer.filter(
    (message) => message.role === "assistant" && (isAnswerToThese(message) || !isKnown(message)),
  );
  return [...users, ...answers].filter(({ text }) => text.trim() !== "");
}

/** A turn that still waits for a tool (an interrupt) or has no answer is not completed. */
function isCompleted(answer: readonly ChatMessage[]): boolean {
  const last = answer.at(-1);
  return last !== undefined && !(last.role === "assistant" && last.callsTools);
}
