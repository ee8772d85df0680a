import type { ContextTexts } from "../locales/context-texts.js";
import type { MemoryItem } from "../memory/memory-item.js";
import { utf8Length } from "../text/index.js";
import { fittingLines, lineOf, type MemoryLine } from "./memory-lines.js";
import { type ContextSegment, segment } from "./segment.js";

/**
 * The memories, oldest first, one line each whatever they hold. Over the budget the oldest go, pinned ones last of all: the
 * newest are often the corrections.
 *
 * @param memories Oldest first.
 * @param chosen Ids of those that are to stay where not all fit. Default: the newest.
 */
export function memorySegment(
  memories: readonly MemoryItem[],
  budget: number,
  texts: ContextTexts,
  chosen?: ReadonlySet<string>,
): ContextSegment | undefined {
  const heading = headingOf(texts);
  const lines = fittingLines(memories, budget - utf8Length(heading), chosen);
  let { omitted, bytes } = lines;
  const kept = lines.kept;
  while (kept.length > 0 && utf8Length(heading) + bytes + utf8Length(omissionNote(omitted, texts)) > budget) {
    bytes -= utf8Length(withoutOldest(kept).line);
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

/** The bytes that lines may take where not all memories fit, and so some must be chosen; `undefined` where all do. */
export function roomForMemories(
  memories: readonly MemoryItem[],
  budget: number,
  texts: ContextTexts,
): number | undefined {
  const room = budget - utf8Length(headingOf(texts));
  let bytes = 0;
  for (let index = memories.length - 1; index >= 0 && bytes <= room; index--) {
    bytes += utf8Length(lineOf(memories[index] as MemoryItem)?.line ?? "");
  }
  return bytes <= room ? undefined : room - utf8Length(omissionNote(memories.length, texts));
}

/** A pinned one only where there are no others. */
function withoutOldest(kept: MemoryLine[]): MemoryLine {
  const index = Math.max(
    0,
    kept.findIndex(({ isPinned }) => !isPinned),
  );
  return kept.splice(index, 1)[0] as MemoryLine;
}

function headingOf(texts: ContextTexts): string {
  return `${texts.memoryHeading}\n`;
}

function omissionNote(omitted: number, texts: ContextTexts): string {
  return omitted === 0 ? "" : `\n${texts.memoriesOmitted(omitted)}`;
}
