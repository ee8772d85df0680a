import { isDeepStrictEqual } from "node:util";
import type { StoredItem } from "./langgraph-items.js";
import { nowParts } from "./langgraph-now.js";
import { plain, unpacked } from "./langgraph-packed.js";
import { hashOf } from "./langgraph-place.js";
import { contentKey, type MemoryItem } from "./memory-item.js";
import { readSource } from "./memory-source.js";
import { wholeItem } from "./read-items.js";

/** A memory as it lies in a store. */
export interface MemoryEntry {
  readonly item: MemoryItem;
  /** The keys under which it lies: the one that counts first, then what a killed change left. */
  readonly keys: readonly string[];
  /** All that the store holds of it, with keys that we don't know. */
  readonly whole: Record<string, unknown>;
  /** Its place among those of the same millisecond. */
  readonly sequence: number;
  /** How often it was corrected. */
  readonly revision: number;
}

export interface MemoryChanges {
  readonly puts: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  /** Keys. */
  readonly deletes: readonly string[];
}

/** The memories of a generation, oldest first, and the keys of those of earlier ones. Pure, as is all in this file. */
export function readMemoryEntries(
  stored: readonly StoredItem[],
  generation: number,
): { entries: MemoryEntry[]; forgotten: string[] } {
  const forgotten: string[] = [];
  const byId = new Map<string, MemoryEntry>();
  for (const { key, value } of stored) {
    if (value.memoryPart !== nowParts.memories) continue;
    if (numberOf(value.generation) < generation) {
      forgotten.push(key);
      continue;
    }
    const entry = readEntry(key, value);
    if (entry === undefined) continue;
    const former = byId.get(entry.item.id);
    byId.set(entry.item.id, former === undefined ? entry : later(former, entry));
  }
  return { entries: [...byId.values()].sort(byAge), forgotten };
}

/** What must be written for these memories to be stored. The same content is the same key, and so one item. */
export function memoryChanges(
  former: readonly MemoryEntry[],
  items: readonly MemoryItem[],
  generation: number,
): MemoryChanges {
  const formerById = new Map(former.map((entry) => [entry.item.id, entry]));
  let lastSequence = Math.max(0, ...former.map(({ sequence }) => sequence));
  const latestAt = new Map<number, number>();
  const kept = new Set<string>();
  const puts: { key: string; value: Record<string, unknown> }[] = [];
  for (const item of items) {
    const key = memoryKey(item.content, generation);
    if (kept.has(key)) continue;
    kept.add(key);
    const entry = formerById.get(item.id);
    const inOrder = entry !== undefined && entry.sequence > (latestAt.get(item.createdAt) ?? 0);
    const sequence = inOrder ? entry.sequence : ++lastSequence;
    latestAt.set(item.createdAt, sequence);
    if (entry?.keys[0] === key && inOrder && sameItem(entry.item, item)) continue;
    const whole = wholeItem(entry && { raw: entry.whole, item: entry.item }, item);
    const revision = (entry?.revision ?? 0) + 1;
    puts.push({ key, value: { ...plain("memory", whole), generation, sequence, revision } });
  }
  const deletes = former.flatMap(({ keys }) => keys).filter((key) => !kept.has(key));
  return { puts, deletes };
}

function memoryKey(content: string, generation: number): string {
  // With the generation, so that what comes late from before a clear can't take the place of what was learned since.
  return `m-${hashOf(contentKey(content))}-${generation}`;
}

function readEntry(key: string, value: Record<string, unknown>): MemoryEntry | undefined {
  const whole = unpacked(value, "memory");
  if (typeof whole !== "object" || whole === null) return undefined;
  const { id, content, createdAt, sourceScope, pinned, ...others } = whole as Record<string, unknown>;
  const isUsable =
    typeof id === "string" &&
    typeof content === "string" &&
    typeof createdAt === "number" &&
    typeof sourceScope === "string";
  if (!isUsable) return undefined;
  const source = readSource(others.source);
  return {
    item: {
      id,
      content,
      createdAt,
      sourceScope,
      ...(pinned === true && { pinned }),
      ...(source !== undefined && { source }),
    },
    keys: [key],
    whole: whole as Record<string, unknown>,
    sequence: numberOf(value.sequence),
    revision: numberOf(value.revision),
  };
}

function later(one: MemoryEntry, other: MemoryEntry): MemoryEntry {
  // Of two processes that corrected it at once, the same one everywhere.
  const isNewer = one.revision - other.revision || (one.keys[0] ?? "").localeCompare(other.keys[0] ?? "");
  const [newer, older] = isNewer > 0 ? [one, other] : [other, one];
  return { ...newer, keys: [...newer.keys, ...older.keys] };
}

/** By time, then as they came; two that came to two processes at once in the same order everywhere. */
function byAge(left: MemoryEntry, right: MemoryEntry): number {
  return (
    left.item.createdAt - right.item.createdAt ||
    left.sequence - right.sequence ||
    ((left.keys[0] ?? "") < (right.keys[0] ?? "") ? -1 : 1)
  );
}

function sameItem(left: MemoryItem, right: MemoryItem): boolean {
  return (
    left.content === right.content &&
    left.createdAt === right.createdAt &&
    left.sourceScope === right.sourceScope &&
    left.pinned === right.pinned &&
    isDeepStrictEqual(left.source, right.source)
  );
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
