/** What the stand-in does with a request for a summary: the openings of what the user said, after the former summary. */
import { sentences } from "./words.mjs";

const maxCharacters = 400;

export function digest({ former, lines }) {
  const openings = lines
    .filter(({ role }) => role === "user")
    .map(({ content }) => [...(sentences(content)[0] ?? "")].slice(0, 40).join(""))
    .filter((opening) => opening !== "");
  const whole = [former, ...openings].filter((part) => part).join("\n");
  return [...whole].slice(-maxCharacters).join("").trim();
}
