import { byHand, contentKey, type MemoryItem, sessionsOf } from "../memory/memory-item.js";
import type { EntryList, MemoryCollection } from "../memory/memory-store.js";
import { type ReplacedMemory, replacedBy } from "../memory/replaced-memory.js";
import { type ForgetParts, forget } from "./forget.js";
import { itemOf, type MemoryChanges, takenOver } from "./memory-changes.js";
import { checkRoomForOne } from "./pinned-room.js";

export interface ReplacedMemoriesParts extends ForgetParts {
  readonly replaced: EntryList<ReplacedMemory>;
  readonly collection: MemoryCollection;
  readonly changes: MemoryChanges;
}

/** The history of what new facts took the place of, as far as nobody deleted it. */
export class ReplacedMemories {
  readonly #parts: ReplacedMemoriesParts;

  constructor(parts: ReplacedMemoriesParts) {
    this.#parts = parts;
  }

  /** Oldest first. */
  async list(): Promise<ReplacedMemory[]> {
    const { replaced, collection } = this.#parts;
    const [history, memories] = await Promise.all([replaced.read(), collection.read()]);
    // Where a process was killed while it replaced or restored one, that is still a memory.
    const ids = new Set(memories.map(({ id }) => id));
    return structuredClone(history.filter(({ id }) => !ids.has(id)));
  }

  /** As the newest, since it holds again from now on, and so that it isn't the first to go at the limit. */
  async restore(id: string): Promise<MemoryItem> {
    const { changes, environment } = this.#parts;
    const { replacedAt: _, replacedBy: __, ...item } = itemOf(await this.list(), id);
    const now = environment.now();
    const restored = byHand({ ...item, createdAt: now }, now);
    const key = contentKey(restored.content);
    const memory = await changes.write((items, room) => {
      const equal = items.find((one) => one.id === id || contentKey(one.content) === key);
      if (equal !== undefined) return takenOver(items, equal, now);
      checkRoomForOne(items, room);
      return { items: [...items, restored], result: restored };
    });
    await this.#drop(new Set([id]));
    return memory;
  }

  /**
   * Goes with memories that a person deletes: whoever deletes that they moved to Lyon wants nobody to read where they lived
   * before. Gives how many of the ids themselves there were.
   */
  async forget(ids: ReadonlySet<string>): Promise<number> {
    const history = await this.#parts.replaced.read();
    const named = history.filter(({ id }) => ids.has(id));
    const gone = [...named, ...replacedBy(history, ids)];
    await forget(gone, this.#parts);
    await this.#drop(new Set(gone.map(({ id }) => id)));
    return named.length;
  }

  /** The same for what came from a session. Gives how many there were. */
  async forgetLearned(sessionId: string): Promise<number> {
    const history = await this.#parts.replaced.read();
    const ofIt = history.filter((entry) => sessionsOf(entry).includes(sessionId));
    return this.forget(new Set(ofIt.map(({ id }) => id)));
  }

  async #drop(ids: ReadonlySet<string>): Promise<void> {
    if (ids.size === 0) return;
    await this.#parts.replaced.change(({ entries }) => ({
      entries: entries.filter(({ id }) => !ids.has(id)),
      result: undefined,
    }));
  }
}
