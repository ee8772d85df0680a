import type { ContextTexts } from "../locales/context-texts.js";
import { type MemoryItem, normalizeContent } from "../memory/memory-item.js";
import { utf8Length } from "../text/index.js";
import { type ContextSegment, segment } from "./segment.js";

/**
 * The memories, oldest first, one line each whatever they hold. Over the budget the oldest go: the newest are often the
 * corrections.
 *
 * @param memories Oldest first.
 */
export function memorySegment(
  memories: readonly MemoryItem[],
  budget: number,
  texts: ContextTexts,
): ContextSegment | undefined {
  const heading = `${texts.memoryHeading}\n`;
  const lines = newestLines(memories, budget - utf8Length(heading));
  let { omitted, bytes } = lines;
  const kept = lines.kept;
  while (kept.length > 0 && utf8Length(heading) + bytes + utf8Length(omissionNote(omitted, texts)) > budget) {
    bytes -= utf8Length(kept.shift()?.line ?? "");
    omitted++;
  }
  if (kept.length + omitted === 0) return undefined;
  const text = heading + kept.map(({ line }) => line).join("") + omissionNote(omitted, texts);
  if (utf8Length(text) > budget) return undefined;
  return segment(
    "memory",
    text,
    omitted,
    kept.map(({ id }) => id),
  );
}

interface MemoryLine {
  readonly id: string;
  readonly line: string;
}

/** From the newest back until the budget is full, so that a store of 50,000 costs a turn no more than one of 100. */
function newestLines(
  memories: readonly MemoryItem[],
  budget: number,
): { kept: MemoryLine[]; omitted: number; bytes: number } {
  const newestFirst: MemoryLine[] = [];
  let bytes = 0;
  let index = memories.length - 1;
  for (; index >= 0; index--) {
    const { id, content } = memories[index] as MemoryItem;
    const normalized = normalizeContent(content);
    if (normalized === "") continue;
    const line = `\n- ${normalized}`;
    if (bytes + utf8Length(line) > budget) break;
    bytes += utf8Length(line);
    newestFirst.push({ id, line });
  }
  const omitted = memories.slice(0, index + 1).filter(({ content }) => saysSomething(content)).length;
  return { kept: newestFirst.reverse(), omitted, bytes };
}

/** Cheap for what has a letter or a digit, as nearly all has. */
function saysSomething(content: string): boolean {
  return /[\p{L}\p{N}]/u.test(content) || normalizeContent(content) !== "";
}

function omissionNote(omitted: number, texts: ContextTexts): string {
  return omitted === 0 ? "" : `\n${texts.memoriesOmitted(omitted)}`;
}
