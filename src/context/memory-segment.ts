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
  const usable = memories
    .map(({ id, content }) => ({ id, line: `\n- ${normalizeContent(content)}` }))
    .filter(({ line }) => line !== "\n- ");
  if (usable.length === 0) return undefined;

  const heading = `${texts.memoryHeading}\n`;
  let bytes = utf8Length(heading) + usable.reduce((sum, { line }) => sum + utf8Length(line), 0);
  let omitted = 0;
  while (omitted < usable.length && bytes + utf8Length(omissionNote(omitted, texts)) > budget) {
    bytes -= utf8Length(usable[omitted]?.line ?? "");
    omitted++;
  }
  const kept = usable.slice(omitted);
  const text = heading + kept.map(({ line }) => line).join("") + omissionNote(omitted, texts);
  if (utf8Length(text) > budget) return undefined;
  return segment(
    "memory",
    text,
    omitted,
    kept.map(({ id }) => id),
  );
}

function omissionNote(omitted: number, texts: ContextTexts): string {
  return omitted === 0 ? "" : `\n${texts.memoriesOmitted(omitted)}`;
}
