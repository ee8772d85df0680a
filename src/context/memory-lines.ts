import { type MemoryItem, normalizeContent } from "../memory/memory-item.js";
import { utf8Length } from "../text/index.js";

/** One memory as it stands in the prompt, with the line break before it. */
export interface MemoryLine {
  readonly id: string;
  readonly line: string;
  readonly isPinned: boolean;
}

interface Lines {
  readonly kept: MemoryLine[];
  readonly omitted: number;
  readonly bytes: number;
}

/** @param memories Oldest first. @param chosen Ids of those that are to stay. Default: the newest. */
export function fittingLines(
  memories: readonly MemoryItem[],
  budget: number,
  chosen: ReadonlySet<string> | undefined,
): Lines {
  if (chosen !== undefined) return linesOf(memories, ({ id }) => chosen.has(id));
  return memories.some(isPinned) ? pinnedAndNewest(memories, budget) : newestLines(memories, budget);
}

/** From the newest back until the budget is full, so that a store of 50,000 costs a turn no more than one of 100. */
function newestLines(memories: readonly MemoryItem[], budget: number): Lines {
  const newestFirst: MemoryLine[] = [];
  let bytes = 0;
  let index = memories.length - 1;
  for (; index >= 0; index--) {
    const line = lineOf(memories[index] as MemoryItem);
    if (line === undefined) continue;
    if (bytes + utf8Length(line.line) > budget) break;
    bytes += utf8Length(line.line);
    newestFirst.push(line);
  }
  const omitted = memories.slice(0, index + 1).filter(({ content }) => saysSomething(content)).length;
  return { kept: newestFirst.reverse(), omitted, bytes };
}

/** The pinned that fit, then the newest of the others. */
function pinnedAndNewest(memories: readonly MemoryItem[], budget: number): Lines {
  const taken = new Set<MemoryItem>();
  let left = budget;
  for (const item of memories.filter(isPinned).reverse()) {
    const bytes = utf8Length(lineOf(item)?.line ?? "");
    if (bytes > left) continue;
    left -= bytes;
    taken.add(item);
  }
  const others = memories.filter((item) => !isPinned(item));
  const newest = new Set(newestLines(others, left).kept.map(({ id }) => id));
  return linesOf(memories, (item) => taken.has(item) || (!isPinned(item) && newest.has(item.id)));
}

function linesOf(memories: readonly MemoryItem[], isKept: (item: MemoryItem) => boolean): Lines {
  const kept = memories.filter(isKept).flatMap((item) => lineOf(item) ?? []);
  const omitted = memories.filter((item) => !isKept(item) && saysSomething(item.content)).length;
  return { kept, omitted, bytes: kept.reduce((sum, { line }) => sum + utf8Length(line), 0) };
}

/** `undefined` for a content that nobody would see. */
export function lineOf({ id, content, pinned }: MemoryItem): MemoryLine | undefined {
  const normalized = normalizeContent(content);
  return normalized === "" ? undefined : { id, line: `\n- ${normalized}`, isPinned: pinned === true };
}

function isPinned({ pinned }: MemoryItem): boolean {
  return pinned === true;
}

/** Cheap for what has a letter or a digit, as nearly all has. */
function saysSomething(content: string): boolean {
  return /[\p{L}\p{N}]/u.test(content) || normalizeContent(content) !== "";
}
