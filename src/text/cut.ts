import { graphemeAt, lastGraphemeStart } from "./grapheme.js";
import { codePointLength, indexAfter, indexBefore } from "./length.js";
import { withoutLoneSurrogates } from "./surrogates.js";

/**
 * Cuts that never split a code point or a grapheme: no half emoji, flag, family or accent. Where the first grapheme alone
 * is too long, nothing is left. Lone surrogates of the input are dropped.
 */

const encoder = new TextEncoder();

/** The beginning of a text, at most `max` code points. */
export function cutToCodePoints(text: string, max: number): string {
  const whole = withoutLoneSurrogates(text);
  return headUpTo(whole, indexAfter(whole, max));
}

/** The beginning of a text, at most `maxBytes` bytes in UTF-8. */
export function cutToBytes(text: string, maxBytes: number): string {
  const whole = withoutLoneSurrogates(text);
  // A code unit is at most three bytes.
  if (whole.length * 3 <= maxBytes || Buffer.byteLength(whole) <= maxBytes) return whole;
  // A code unit is at least one byte, so nothing behind this can fit; `encodeInto` writes whole characters only.
  const room = Math.max(0, maxBytes);
  const { read } = encoder.encodeInto(whole.slice(0, room + 2), new Uint8Array(room));
  return headUpTo(whole, read);
}

/**
 * Beginning, mark and end of a text, together at most `maxCodePoints`; a text that fits stays as it is. Where not even the
 * mark fits, the beginning alone.
 */
export function cutMiddle(text: string, maxCodePoints: number, mark: string): string {
  const whole = withoutLoneSurrogates(text);
  if (indexAfter(whole, maxCodePoints) === whole.length) return whole;
  const room = maxCodePoints - codePointLength(mark);
  if (room <= 0) return cutToCodePoints(whole, maxCodePoints);
  const tail = tailFrom(whole, indexBefore(whole, Math.floor(room / 2)));
  return cutToCodePoints(whole, Math.ceil(room / 2)) + mark + tail;
}

/** For a text whose rest is not at hand: its last grapheme may be a half one. */
export function withoutLastGrapheme(text: string): string {
  return text.slice(0, lastGraphemeStart(text));
}

/** Up to the last grapheme boundary that is not behind `end`. */
function headUpTo(text: string, end: number): string {
  return end >= text.length ? text : text.slice(0, graphemeAt(text, end).start);
}

/** From the first grapheme boundary that is not before `start`. */
function tailFrom(text: string, start: number): string {
  if (start >= text.length) return "";
  const grapheme = graphemeAt(text, start);
  return text.slice(grapheme.start === start ? start : grapheme.end);
}
