import type { MemoryItem } from "./memory-item.js";
import type { Schemas } from "./schemas.js";

/** An entry of `memory.json` as it stands in the file, beside the memory that it is read as; `undefined` where it is none. */
export interface RawItem {
  readonly raw: unknown;
  readonly item: MemoryItem | undefined;
}

/**
 * Reads generously what people and other programs may have written. What can't be used stays in the list, and so in the
 * file. An entry without a usable time keeps its place: it takes the time of the one before it.
 */
export function readItems(values: readonly unknown[], { readStoredItem }: Schemas): RawItem[] {
  let latest = 0;
  return values.map((raw) => {
    const stored = readStoredItem(raw);
    if (stored === undefined) return { raw, item: undefined };
    latest = stored.createdAt ?? latest;
    return { raw, item: { ...stored, createdAt: latest } };
  });
}

/** What the file holds from now on: unusable entries as they were, then these memories, with the keys that we don't know. */
export function writeItems(former: readonly RawItem[], items: readonly MemoryItem[]): unknown[] {
  const unusable = former.filter(({ item }) => item === undefined).map(({ raw }) => raw);
  const rawById = new Map(
    former.flatMap(({ raw, item }) => (item ? [[item.id, raw as object] as const] : [])),
  );
  return [...unusable, ...items.map((item) => ({ ...rawById.get(item.id), ...item }))];
}
