import { MemoryError } from "../errors.js";
import type { ContextTexts } from "../locales/context-texts.js";
import { type MemoryItem, normalizeContent } from "../memory/memory-item.js";
import { utf8Length } from "../text/index.js";

export interface PinnedRoom {
  /** How many memories are kept. */
  readonly limit: number;
  /** UTF-8 bytes of the memory segment. */
  readonly memoryBudget: number;
  readonly texts: ContextTexts;
}

/**
 * What is pinned must be kept and injected whole, with the note of what isn't: more is refused, and not quietly left out.
 *
 * @throws MemoryError `ERR_MEMORY_PINNED_LIMIT`.
 */
export function checkPinned(items: readonly MemoryItem[], { limit, memoryBudget, texts }: PinnedRoom): void {
  const pinned = items.filter((item) => item.pinned === true);
  if (pinned.length === 0) return;
  const lines = pinned.map(({ content }) => `\n- ${normalizeContent(content)}`).join("");
  const bytes = utf8Length(`${texts.memoryHeading}\n${lines}\n${texts.memoriesOmitted(limit)}`);
  if (pinned.length <= limit && bytes <= memoryBudget) return;
  throw new MemoryError(
    "ERR_MEMORY_PINNED_LIMIT",
    `pinned memories must fit limit (${limit}) and memoryBudget (${memoryBudget} bytes), got ${pinned.length} and ${bytes} bytes`,
  );
}

/**
 * Whatever isn't pinned goes first: where all that is kept is pinned, what a person adds would be gone at once.
 *
 * @throws MemoryError `ERR_MEMORY_PINNED_LIMIT`.
 */
export function checkRoomForOne(items: readonly MemoryItem[], { limit }: PinnedRoom): void {
  const pinned = items.filter((item) => item.pinned === true).length;
  if (pinned < limit) return;
  throw new MemoryError(
    "ERR_MEMORY_PINNED_LIMIT",
    `all ${pinned} memories that are kept (limit: ${limit}) are pinned`,
  );
}
