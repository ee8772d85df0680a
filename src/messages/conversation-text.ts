import { readMessage } from "./chat-message.js";

/** A conversation as the text that a string prompt takes, in the form of LangChain's own memories. */
export function conversationText(
  messages: readonly unknown[],
  humanPrefix = "Human",
  aiPrefix = "AI",
): string {
  const prefixes = {
    user: humanPrefix,
    assistant: aiPrefix,
    system: "System",
    tool: "Tool",
    summary: "System",
    other: "Chat",
  };
  return messages
    .map(readMessage)
    .flatMap((message) => (message === undefined ? [] : [`${prefixes[message.role]}: ${message.text}`]))
    .join("\n");
}
