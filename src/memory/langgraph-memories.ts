import type { Candidate } from "./candidate.js";
import type { LangGraphEntryList } from "./langgraph-entry-list.js";
import type { StoredItem } from "./langgraph-items.js";
import { eachOf } from "./langgraph-items.js";
import { type MemoryEntry, memoryChanges, readMemoryEntries } from "./langgraph-memory-entries.js";
import type { LangGraphMemoryVectors } from "./langgraph-memory-vectors.js";
import { type NowReader, nowParts } from "./langgraph-now.js";
import { packed } from "./langgraph-packed.js";
import { generationOf, switchKeys } from "./langgraph-switches.js";
import type { MemoryItem } from "./memory-item.js";
import type { MemoryChange, MemoryCollection, StoredMemories } from "./memory-store.js";
import { type ReplacedMemory, withReplaced } from "./replaced-memory.js";

/** What changes and goes with the memories. */
export interface LangGraphMemoriesParts {
  readonly replaced: LangGraphEntryList<ReplacedMemory>;
  readonly candidates: LangGraphEntryList<Candidate>;
  readonly vectors: LangGraphMemoryVectors;
}

/** One item a memory. A change writes only what it changed, so that what another process adds meanwhile stays. */
export class LangGraphMemories implements MemoryCollection {
  readonly #now: NowReader;
  readonly #parts: LangGraphMemoriesParts;
  readonly #clock: () => number;

  constructor(now: NowReader, parts: LangGraphMemoriesParts, clock: () => number) {
    this.#now = now;
    this.#parts = parts;
    this.#clock = clock;
  }

  async read(): Promise<readonly MemoryItem[]> {
    return (await this.#read()).entries.map(({ item }) => item);
  }

  /** The same with the keys that we don't know, for moving house. */
  async readWhole(): Promise<readonly MemoryItem[]> {
    return (await this.#read()).entries.map(({ whole, item }) => ({ ...whole, ...item }));
  }

  change<Result>(change: (stored: StoredMemories) => MemoryChange<Result>): Promise<Result> {
    return this.#inLine(async () => {
      const { entries, generation, forgotten } = await this.#read();
      const { items, replaced = [], result } = change({ items: entries.map(({ item }) => item), generation });
      // Killed in between, it is in both lists, and so still a memory.
      if (replaced.length > 0) {
        await this.#parts.replaced.change((history) => ({
          entries: withReplaced(history.entries, replaced),
          result: undefined,
        }));
      }
      if (items === undefined) return result;
      const { puts, deletes } = memoryChanges(entries, items, generation);
      const { items: store, place } = this.#now;
      // What is new first: killed in between, a corrected memory is there twice, of which the newer is read.
      await eachOf(puts, (one) => store.put(place, { ...one, part: nowParts.memories }));
      if (deletes.length > 0) await this.#parts.vectors.keepOnly(items);
      await eachOf([...deletes, ...forgotten], (key) => store.delete(place, key));
      return result;
    });
  }

  /** The generation is one item: once it is written, all of them are forgotten, and what comes late from before too. */
  clear(): Promise<number> {
    return this.#inLine(async () => {
      const { entries, generation, forgotten } = await this.#read();
      const { items: store, place } = this.#now;
      // By the clock too: two that clear at once must not make the same generation.
      const next = Math.max(generation + 1, this.#clock());
      await store.put(place, { key: switchKeys.generation, value: packed(next), part: nowParts.switches });
      await this.#parts.replaced.clear();
      await this.#parts.candidates.clear();
      await this.#parts.vectors.clear();
      await eachOf([...entries.flatMap(({ keys }) => keys), ...forgotten], (key) => store.delete(place, key));
      return entries.length;
    });
  }

  async #read(): Promise<{ entries: MemoryEntry[]; generation: number; forgotten: string[] }> {
    const found: StoredItem[] = await this.#now.read(nowParts.memories, nowParts.switches);
    const generation = generationOf(found);
    return { generation, ...readMemoryEntries(found, generation) };
  }

  #inLine<Result>(work: () => Promise<Result>): Promise<Result> {
    const { items, place } = this.#now;
    return items.shared.inLine(`memories ${place.namespace.join("/")}`, work);
  }
}
