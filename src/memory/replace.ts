import { contentKey, isReplaceable, type MemoryItem } from "./memory-item.js";
import { type MergeInput, type MergeResult, mergeLearned } from "./merge.js";
import type { ReplacedMemory } from "./replaced-memory.js";

/** By the id of a newly learned memory, those whose place it takes: as they were when the extractor was asked. */
export type Replacements = ReadonlyMap<string, readonly MemoryItem[]>;

export const noReplacements: Replacements = new Map();

export interface ReplaceInput extends MergeInput {
  readonly replaces: Replacements;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface ReplaceResult extends MergeResult {
  readonly replaced: readonly ReplacedMemory[];
}

/** So many may always be replaced, however few there are: a move may change where somebody lives and works. */
const alwaysAllowed = 2;

/** Whether a reply names no more than a fifth of all memories, or two: one that names more is not to be believed. */
export function isBelievable(replaces: Replacements, memories: number): boolean {
  return countReplaced(replaces) <= Math.max(alwaysAllowed, Math.floor(memories / 5));
}

/** How many memories are named. */
export function countReplaced(replaces: Replacements): number {
  return new Set([...replaces.values()].flat().map(({ id }) => id)).size;
}

/**
 * Joins newly learned facts to the store as it is now, and takes out what they replace. Nothing is replaced that has been
 * changed or deleted since the extractor was asked, that a person wrote or corrected, that is pinned, or that the reply itself
 * says again; and nothing by a fact that is not stored in the end.
 */
export function mergeReplacing(input: ReplaceInput): ReplaceResult {
  const pairs = replacedPairs(input);
  const replacedIds = new Set(pairs.map(({ old }) => old.id));
  const without = (items: readonly MemoryItem[]) => items.filter(({ id }) => !replacedIds.has(id));
  const merged = mergeLearned({ ...input, current: without(input.current), asked: without(input.asked) });
  const kept = new Set(merged.items.map(({ id }) => id));
  // Where one that takes a place is evicted at once, by a clock that went back, all is left as it was.
  if (!pairs.every(({ successor }) => kept.has(successor.id))) {
    return { ...mergeLearned(input), replaced: [] };
  }
  const replaced = pairs.map(({ old, successor }) => ({
    ...old,
    replacedAt: input.now,
    replacedBy: successor.id,
  }));
  return { ...merged, replaced };
}

interface Pair {
  readonly old: MemoryItem;
  /** The new fact, or an equal one that is there already. */
  readonly successor: MemoryItem;
}

function replacedPairs({ current, asked, learned, replaces }: ReplaceInput): Pair[] {
  const currentById = new Map(current.map((item) => [item.id, item]));
  const currentByKey = new Map(current.map((item) => [contentKey(item.content), item]));
  const askedKeys = new Set(asked.map(({ content }) => contentKey(content)));
  const saidAgain = new Set(
    learned.flatMap(({ content }) => currentByKey.get(contentKey(content))?.id ?? []),
  );
  const firstByKey = new Map<string, MemoryItem>();
  const pairs = new Map<string, Pair>();
  for (const fact of learned) {
    const key = contentKey(fact.content);
    if (!firstByKey.has(key)) firstByKey.set(key, fact);
    const successor = currentByKey.get(key) ?? (askedKeys.has(key) ? undefined : firstByKey.get(key));
    // Known when the extractor was asked and gone since: deleted, and it stays so.
    if (successor === undefined || key === "") continue;
    for (const named of replaces.get(fact.id) ?? []) {
      const old = currentById.get(named.id);
      const isAsItWas = old !== undefined && old.content === named.content && isReplaceable(old);
      if (isAsItWas && !saidAgain.has(old.id) && !pairs.has(old.id)) pairs.set(old.id, { old, successor });
    }
  }
  return [...pairs.values()];
}
