import { userWords } from "../messages/user-words.js";
import type { SharedParts } from "./shared-parts.js";

/** The user's last words, where memories are chosen by them. */
export function queryOf(messages: () => readonly unknown[], { options }: SharedParts): string | undefined {
  return options.selection === "newest" ? undefined : userWords(messages());
}
