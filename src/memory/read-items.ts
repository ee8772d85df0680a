import type { MemoryItem } from "./memory-item.js";
import type { Schemas } from "./schemas.js";

/** An entry of `memory.json` as it stands in the file, beside the memory that it is read as; `undefined` where it is none. */
export interface RawItem {
  readonly raw: unknown;
  readonly item: MemoryItem | undefined;
}

/**
 * Reads generously what people and other programs may have written. What can't be used stays in the list, and so in the
 * file. An entry without a usable time keeps its place: it takes the time of the one before it. Of two with one id (an
 * entry copied in an editor) the later is given another, the same at each reading: deleting one must not take both.
 */
export function readItems(values: readonly unknown[], { readStoredItem }: Schemas): RawItem[] {
  const stored = values.map(readStoredItem);
  const freeId = idGiver(stored.flatMap((one) => one?.id ?? []));
  const taken = new Set<string>();
  let latest = 0;
  return values.map((raw, index) => {
    const one = stored[index];
    if (one === undefined) return { raw, item: undefined };
    latest = one.createdAt ?? latest;
    const id = taken.has(one.id) ? freeId(one.id) : one.id;
    taken.add(id);
    return { raw, item: { ...one, id, createdAt: latest } };
  });
}

/** Gives `id-2`, `id-3`, …, none of them an id of the file. */
function idGiver(ids: readonly string[]): (id: string) => string {
  const used = new Set(ids);
  const counts = new Map<string, number>();
  return (id) => {
    let count = counts.get(id) ?? 1;
    do count++;
    while (used.has(`${id}-${count}`));
    counts.set(id, count);
    return `${id}-${count}`;
  };
}

/** What the file holds from now on: unusable entries as they were, then these memories, with the keys that we don't know. */
export function writeItems(former: readonly RawItem[], items: readonly MemoryItem[]): unknown[] {
  const unusable = former.filter(({ item }) => item === undefined).map(({ raw }) => raw);
  const formerById = new Map(former.map((one) => [one.item?.id, one]));
  return [...unusable, ...items.map((item) => wholeItem(formerById.get(item.id), item))];
}

/** A memory with the keys that we don't know; what it had of ours and has no more is gone. */
export function wholeItem(former: RawItem | undefined, item: MemoryItem): Record<string, unknown> {
  const whole = { ...(former?.raw as object | undefined), ...item };
  for (const key of ["pinned", "source"] as const) {
    if (item[key] === undefined && former?.item?.[key] !== undefined) delete whole[key];
  }
  return whole;
}
