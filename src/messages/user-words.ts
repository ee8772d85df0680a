import { isAnswer, readMessage } from "./chat-message.js";

/** What the user said since the last answer, as text; where that is nothing, what the user said before it. */
export function userWords(messages: readonly unknown[]): string {
  const words: string[] = [];
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = readMessage(messages[index]);
    if (message === undefined) continue;
    if (message.role === "user") words.unshift(message.text);
    else if (words.length > 0 && isAnswer(message)) break;
  }
  return words.join("\n").trim();
}
