import { codePointLength } from "../../text/index.js";
import type { Candidate } from "../candidate.js";
import { isReplaceable, type MemoryItem, normalizeContent } from "../memory-item.js";

/** A known memory as the request has it: its words alone, or with a number where a new fact may take its place. */
export type KnownMemory = string | { readonly number?: number; readonly content: string };

export interface KnownMemories {
  /** What the request has of them. */
  readonly sent: readonly KnownMemory[];
  /** The memories that may be replaced, by the number under which they were sent. */
  readonly numbered: ReadonlyMap<number, MemoryItem>;
}

export interface KnownOptions {
  /** Whether those that may be replaced are numbered. */
  readonly consolidate: boolean;
  /** Code points of JSON at most; the newest are sent. */
  readonly maxCharacters: number;
}

/** Candidates come last, and are known so that they are not proposed again. */
export function knownMemories(
  memories: readonly MemoryItem[],
  candidates: readonly Candidate[],
  { consolidate, maxCharacters }: KnownOptions,
): KnownMemories {
  const all = [...memories, ...candidates].map(({ content }) => normalizeContent(content));
  if (!consolidate) return { sent: newestWithin(all, maxCharacters), numbered: new Map() };
  const numbers = memories.flatMap((item, index) =>
    isReplaceable(item) ? [[index + 1, item] as const] : [],
  );
  const replaceable = new Map(numbers);
  const sent = newestWithin(
    all.map((content, index) => (replaceable.has(index + 1) ? { number: index + 1, content } : { content })),
    maxCharacters,
  );
  const numbered = sent.flatMap(({ number = 0 }: { number?: number }) => {
    const item = replaceable.get(number);
    return item === undefined ? [] : [[number, item] as const];
  });
  return { sent, numbered: new Map(numbered) };
}

/** The newest whose JSON is within so many code points, oldest first. */
export function newestWithin<Known extends KnownMemory>(
  known: readonly Known[],
  maxCharacters: number,
): Known[] {
  // The first has no comma before it.
  let characters = "[]".length - ",".length;
  const first = known.findLastIndex((one) => {
    characters += codePointLength(JSON.stringify(one)) + ",".length;
    return characters > maxCharacters;
  });
  return known.slice(first + 1);
}
