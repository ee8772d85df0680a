import type { MemoryItem } from "./memory-item.js";
import type { Schemas } from "./schemas.js";

/** A memory whose place a newly learned one has taken: as it was, with when and by which. */
export interface ReplacedMemory extends MemoryItem {
  /** Epoch milliseconds. */
  readonly replacedAt: number;
  /** Id of the memory in its place, which may itself have been replaced or have gone since. */
  readonly replacedBy: string;
}

/** So many are kept; the oldest go. */
export const maxReplaced = 200;

/** The history with what was replaced now, oldest first. */
export function withReplaced(
  history: readonly ReplacedMemory[],
  replaced: readonly ReplacedMemory[],
): ReplacedMemory[] {
  const ids = new Set(replaced.map(({ id }) => id));
  return [...history.filter(({ id }) => !ids.has(id)), ...replaced].slice(-maxReplaced);
}

/** Those in whose place one of these stands, directly or by way of others that were replaced in turn. */
export function replacedBy(
  history: readonly ReplacedMemory[],
  ids: ReadonlySet<string>,
): readonly ReplacedMemory[] {
  const successors = new Set(ids);
  // From the newest on: whoever took an older one's place is met before it.
  return history.toReversed().filter((entry) => successors.has(entry.replacedBy) && successors.add(entry.id));
}

/** Reads what a home holds; `undefined` where it is no replaced memory. */
export function readReplaced(value: unknown, { readStoredItem }: Schemas): ReplacedMemory | undefined {
  const item = readStoredItem(value);
  if (item === undefined) return undefined;
  const { replacedAt, replacedBy } = value as Record<string, unknown>;
  const isUsable = typeof replacedAt === "number" && typeof replacedBy === "string";
  return isUsable ? { ...item, createdAt: item.createdAt ?? replacedAt, replacedAt, replacedBy } : undefined;
}
