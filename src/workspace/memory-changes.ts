import { MemoryError } from "../errors.js";
import type { ContextTexts } from "../locales/context-texts.js";
import { byHand, type MemoryItem } from "../memory/memory-item.js";
import type { MemoryChange, MemoryCollection } from "../memory/memory-store.js";
import { withinLimit } from "../memory/merge.js";
import type { PinnedRoom } from "./pinned-room.js";

export interface MemoryChangesParts {
  readonly collection: MemoryCollection;
  readonly limit: () => Promise<number>;
  /** UTF-8 bytes of the memory segment, which what is pinned must fit. */
  readonly memoryBudget: number;
  readonly texts: ContextTexts;
  readonly onEvicted: (count: number) => void;
  /** Called after memories were changed. */
  readonly onStored: () => void;
}

export type Change<Result> = (items: readonly MemoryItem[], room: PinnedRoom) => MemoryChange<Result>;

/** The one way in which a person's changes are written. */
export class MemoryChanges {
  readonly #parts: MemoryChangesParts;

  constructor(parts: MemoryChangesParts) {
    this.#parts = parts;
  }

  /** Whatever is written keeps to the limit. Where more go than new ones push out, it was lowered: that is worth a warning. */
  async write<Result>(change: Change<Result>): Promise<Result> {
    const { collection, onEvicted, onStored } = this.#parts;
    const room = await this.room();
    let evicted = 0;
    let isExpected = true;
    const result = await collection.change(({ items: former }) => {
      const { items, replaced, result } = change(former, room);
      if (items === undefined) return { result };
      const kept = withinLimit(items, room.limit);
      evicted = items.length - kept.length;
      isExpected = evicted <= Math.max(0, items.length - former.length);
      return { items: kept, replaced, result };
    });
    if (!isExpected) onEvicted(evicted);
    onStored();
    return result;
  }

  /** What the change would leave, of the memories as they are now. */
  async preview<Result>(
    change: Change<Result>,
  ): Promise<{ readonly before: readonly MemoryItem[]; readonly after: readonly MemoryItem[] }> {
    const [before, room] = await Promise.all([this.#parts.collection.read(), this.room()]);
    return { before, after: change(before, room).items ?? before };
  }

  async room(): Promise<PinnedRoom> {
    const { limit, memoryBudget, texts } = this.#parts;
    return { limit: await limit(), memoryBudget, texts };
  }
}

/** A person wrote what was learned before: it is theirs from now on. */
export function takenOver(
  items: readonly MemoryItem[],
  equal: MemoryItem,
  now: number,
): MemoryChange<MemoryItem> {
  if (equal.source === undefined || equal.source.byHandAt !== undefined) return { result: equal };
  const taken = byHand(equal, now);
  return { items: items.map((one) => (one === equal ? taken : one)), result: taken };
}

/** @throws MemoryError `ERR_MEMORY_NOT_FOUND`. */
export function itemOf<Item extends MemoryItem>(items: readonly Item[], id: string): Item {
  const item = items.find((one) => one.id === id);
  if (item === undefined) throw new MemoryError("ERR_MEMORY_NOT_FOUND", "there is no memory with this id");
  return item;
}
