import { contentKey, type MemoryItem, wordsKey } from "./memory-item.js";

export interface MergeInput {
  /** The store as it is now, oldest first. */
  readonly current: readonly MemoryItem[];
  /** The store as it was when the extractor was asked: what has gone from it since was deleted and stays deleted. */
  readonly asked: readonly MemoryItem[];
  readonly learned: readonly MemoryItem[];
  readonly limit: number;
}

export interface MergeResult {
  readonly items: readonly MemoryItem[];
  readonly added: readonly MemoryItem[];
}

/** Joins newly learned facts to the store: an equal one keeps the old item, a deleted one does not come back. */
export function mergeLearned({ current, asked, learned, limit }: MergeInput): MergeResult {
  const taken = new Set([...current, ...asked].map((item) => contentKey(item.content)));
  const deleted = deletedWords(current, asked);
  const added = learned.filter(
    ({ content }) => !deleted.has(wordsKey(content)) && isFirst(taken, contentKey(content)),
  );
  const items = withinLimit([...current, ...added], limit);
  const kept = new Set(items);
  return { items, added: added.filter((item) => kept.has(item)) };
}

function deletedWords(current: readonly MemoryItem[], asked: readonly MemoryItem[]): Set<string> {
  const ids = new Set(current.map(({ id }) => id));
  const keys = new Set(current.map(({ content }) => contentKey(content)));
  const deleted = asked.filter(({ id, content }) => !ids.has(id) && !keys.has(contentKey(content)));
  return new Set(deleted.map(({ content }) => wordsKey(content)));
}

/**
 * Drops equal contents (the oldest stays, pinned where any of them is), sorts by time of making and evicts the oldest beyond
 * the limit.
 */
export function tidy(items: readonly MemoryItem[], limit: number): MemoryItem[] {
  const taken = new Set<string>();
  const pinned = new Set(items.flatMap((one) => (one.pinned === true ? contentKey(one.content) : [])));
  const once = byAge(items).filter((item) => isFirst(taken, contentKey(item.content)));
  return withinLimit(
    once.map((item) => (pinned.has(contentKey(item.content)) ? { ...item, pinned: true } : item)),
    limit,
  );
}

/**
 * Oldest first, the newest within the limit; items of one moment keep their order. What is pinned stays whatever its age,
 * also where that alone is more than a limit which was lowered since.
 */
export function withinLimit(items: readonly MemoryItem[], limit: number): MemoryItem[] {
  let excess = items.length - limit;
  return byAge(items).filter(({ pinned }) => {
    if (excess <= 0 || pinned === true) return true;
    excess--;
    return false;
  });
}

function byAge(items: readonly MemoryItem[]): MemoryItem[] {
  return [...items].sort((left, right) => left.createdAt - right.createdAt);
}

function isFirst(taken: Set<string>, key: string): boolean {
  if (key === "" || taken.has(key)) return false;
  taken.add(key);
  return true;
}
