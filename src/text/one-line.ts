import { withoutLoneSurrogates } from "./surrogates.js";

/**
 * Anything but Latin letters, kana, Chinese characters, their punctuation and single spaces. Most memories hold nothing
 * else, and this search is ten times as fast as one by Unicode classes: all memories pass here before every model call.
 */
const uncommon =
  /[^ -~\u00C0-\u024F\u2018-\u201D\u2026\u3001-\u3029\u3041-\u3096\u30A1-\u30FE\u4E00-\u9FFF\uFF01-\uFF5E]| {2}/;

/** Line and paragraph separators, tabs and all other control characters. */
const separators = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/**
 * What is not seen but read by a model: bidirectional marks, tag characters, zero-width spaces, annotation marks. Soft
 * hyphens and the two joiners have a meaning in words and are not among them.
 */
const invisible = /[\p{Bidi_Control}\u180E\u200B\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E00FF}]/gu;

/** A variation selector belongs to the one character before it; further ones only hide text. */
const hiddenSelectors =
  /(?<=\p{Variation_Selector})\p{Variation_Selector}+|(?<!\p{Ideographic})[\u{E0100}-\u{E01EF}]+/gu;

/** A joiner stays between the parts of an emoji and between letters (Persian, Hindi); elsewhere it only hides text. */
const looseJoiners = new RegExp(
  [
    "(?<![\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}])\\p{Join_Control}+",
    "\\p{Join_Control}{2,}",
    "\\p{Join_Control}(?![\\p{L}\\p{M}\\p{Extended_Pictographic}])",
  ].join("|"),
  "gu",
);

/**
 * One visible line, whatever the text holds, so that it can open no heading, list or message of its own. Line breaks,
 * tabs and control characters become spaces; bidirectional, tag and other invisible characters go; runs of spaces
 * become one; the ends are trimmed. An emoji of several parts stays whole.
 */
export function oneLine(text: string): string {
  if (!uncommon.test(text)) return text.trim();
  return withoutLoneSurrogates(text)
    .replaceAll(separators, " ")
    .replaceAll(invisible, "")
    .replaceAll(hiddenSelectors, "")
    .replaceAll(looseJoiners, "")
    .replaceAll(/\s{2,}/gu, " ")
    .trim();
}
