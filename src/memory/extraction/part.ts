import { codePointLength, cutMiddle } from "../../text/index.js";
import type { WaitingEntry } from "../waiting-entry.js";

export interface PartMessage {
  readonly entry: WaitingEntry;
  /** What is sent of it: all, or its beginning and end. */
  readonly text: string;
}

/** Writes a message as one line of the request. */
export type RenderLine = (entry: WaitingEntry, text: string) => string;

export interface PartBounds {
  /** Code points of what was said. */
  readonly chunkChars: number;
  readonly maxMessages?: number | undefined;
  /** Epoch milliseconds: what was said up to one of these times and what was said after it never share a part. */
  readonly cutAt?: readonly number[] | undefined;
  /** Stands where the middle of a message was left out. */
  readonly cutMark: string;
}

/** What role, date and JSON's own marks may add to a part that is full of text; short messages may fill the rest of it. */
const maxOverhead = 1800;

/**
 * The oldest of what waits that fits one request, at least one message: one that is longer than a whole part is cut in
 * the middle.
 */
export function takePart(
  waiting: readonly WaitingEntry[],
  render: RenderLine,
  bounds: PartBounds,
): PartMessage[] {
  const { chunkChars, maxMessages = Number.POSITIVE_INFINITY, cutAt = [] } = bounds;
  const firstTime = waiting[0]?.time ?? 0;
  const part: PartMessage[] = [];
  let characters = 0;
  let rendered = 0;
  for (const entry of waiting) {
    if (part.length >= maxMessages || isBetween(cutAt, firstTime, entry.time)) break;
    const text = part.length === 0 ? fitted(entry, render, bounds) : entry.text;
    characters += codePointLength(text);
    rendered += codePointLength(render(entry, text)) + "\n".length;
    const isFull = characters > chunkChars || rendered > chunkChars + maxOverhead;
    if (isFull && part.length > 0) break;
    part.push({ entry, text });
  }
  return part;
}

function isBetween(times: readonly number[], left: number, right: number): boolean {
  return times.some((time) => left <= time !== right <= time);
}

/** Text that JSON has to escape grows in the request, so it is measured there. */
function fitted(entry: WaitingEntry, render: RenderLine, { chunkChars, cutMark }: PartBounds): string {
  let kept = chunkChars;
  let text = cutMiddle(entry.text, kept, cutMark);
  let rendered = codePointLength(render(entry, text));
  while (rendered > chunkChars + maxOverhead && kept > 1) {
    kept = Math.max(1, Math.floor((kept * chunkChars) / rendered));
    text = cutMiddle(entry.text, kept, cutMark);
    rendered = codePointLength(render(entry, text));
  }
  return text;
}
