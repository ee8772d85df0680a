import type { CommandParts } from "./command-context.js";

/** What was typed; `-` alone reads standard input. */
export async function contentOf(words: readonly string[], { terminal }: CommandParts): Promise<string> {
  return words.length === 1 && words[0] === "-" ? terminal.readInput() : words.join(" ");
}
