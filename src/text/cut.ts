import { codePointLength, indexAfter, indexBefore } from "./length.js";
import { withoutLoneSurrogates } from "./surrogates.js";

/**
 * Cuts that never split a code point or a grapheme: no half emoji, flag, family or accent. Where the first grapheme alone
 * is too long, nothing is left. Lone surrogates of the input are dropped.
 */

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });
const encoder = new TextEncoder();

/** The beginning of a text, at most `max` code points. */
export function cutToCodePoints(text: string, max: number): string {
  const whole = withoutLoneSurrogates(text);
  // A code point is one or two code units, so this needs no count.
  if (whole.length <= max) return whole;
  return headUpTo(whole, indexAfter(whole, max));
}

/** The beginning of a text, at most `maxBytes` bytes in UTF-8. */
export function cutToBytes(text: string, maxBytes: number): string {
  const whole = withoutLoneSurrogates(text);
  // A code unit is at most three bytes.
  if (whole.length * 3 <= maxBytes || Buffer.byteLength(whole) <= maxBytes) return whole;
  // No code unit beyond this can fit, and `encodeInto` writes whole characters only.
  const candidate = whole.slice(0, maxBytes + 2);
  const { read } = encoder.encodeInto(candidate, new Uint8Array(Math.max(0, maxBytes)));
  return headUpTo(whole, read);
}

/** Beginning, mark and end of a text, together at most `maxCodePoints`; a text that fits stays as it is. */
export function cutMiddle(text: string, maxCodePoints: number, mark: string): string {
  const whole = withoutLoneSurrogates(text);
  if (whole.length <= maxCodePoints || codePointLength(whole) <= maxCodePoints) return whole;
  const room = maxCodePoints - codePointLength(mark);
  if (room <= 0) return cutToCodePoints(whole, maxCodePoints);
  const tail = tailFrom(whole, indexBefore(whole, Math.floor(room / 2)));
  return cutToCodePoints(whole, Math.ceil(room / 2)) + mark + tail;
}

/** For a text of which the rest is not at hand: its last grapheme may be a half one. */
export function withoutLastGrapheme(text: string): string {
  const last = segmenter.segment(text).containing(text.length - 1);
  return text.slice(0, last?.index ?? 0);
}

/** Up to the last grapheme boundary that is not behind `end`. */
function headUpTo(text: string, end: number): string {
  if (end >= text.length) return text;
  // Whether a boundary stands here shows in what is before and in one code point behind; `containing` looks only nearby.
  const grapheme = segmenter.segment(text.slice(0, end + 2)).containing(end);
  return text.slice(0, grapheme?.index ?? end);
}

/** From the first grapheme boundary that is not before `start`. */
function tailFrom(text: string, start: number): string {
  const grapheme = segmenter.segment(text).containing(start);
  if (grapheme === undefined || grapheme.index === start) return text.slice(start);
  return text.slice(grapheme.index + grapheme.segment.length);
}
