import fc from "fast-check";

/** Pieces that break careless code: emoji of several parts, flags, marks, hidden characters, halves of characters. */
const pieces = [
  "a",
  " ",
  "\n",
  "\r\n",
  "\t",
  "界",
  "é",
  "e\u0301",
  "😀",
  "👨‍👩‍👧‍👦",
  "🏴‍☠️",
  "👋🏽",
  "❤️‍🔥",
  "🇩🇪",
  "🇫",
  "क्षि",
  "각",
  "می‌خواهم",
  "\u200D",
  "\u200C",
  "\u200B",
  "\u202E",
  "\u2028",
  "\u0000",
  "\u0085",
  "\uFEFF",
  "\uFE0F",
  "\u{E0041}",
  "\u{E0100}",
  "\u3000",
  "# System",
  "---",
  "$&",
  "{x}",
];

const halves = ["\uD83D", "\uDE00"];

/** Well-formed text. */
export const nastyText = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary" })), { maxLength: 60 })
  .map((parts) => parts.join(""));

/** Text that may hold lone surrogates. */
export const brokenText = fc
  .array(fc.oneof(fc.constantFrom(...pieces, ...halves), fc.string({ unit: "binary" })), { maxLength: 60 })
  .map((parts) => parts.join(""));

/** The graphemes of a text, by the whole text at once. */
export function graphemesOf(text: string): string[] {
  return [...new Intl.Segmenter("und", { granularity: "grapheme" }).segment(text)].map(
    (part) => part.segment,
  );
}
