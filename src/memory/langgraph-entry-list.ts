import { isDeepStrictEqual } from "node:util";
import { eachOf, type ItemToPut } from "./langgraph-items.js";
import { type NowReader, nowParts } from "./langgraph-now.js";
import { plain, unpacked } from "./langgraph-packed.js";
import { hashOf, type Place } from "./langgraph-place.js";
import { generationOf } from "./langgraph-switches.js";
import type { MemoryItem } from "./memory-item.js";
import type { EntryChange, EntryList, StoredEntries } from "./memory-store.js";
import { loadSchemas, type Schemas } from "./schemas.js";

interface StoredEntry<Entry> {
  readonly key: string;
  readonly entry: Entry;
  /** Grows with time, in all processes. */
  readonly order: number;
}

/** One item an entry, in a place of its own that no turn reads. A change writes only what it changed. */
export class LangGraphEntryList<Entry extends MemoryItem> implements EntryList<Entry> {
  readonly #now: NowReader;
  readonly #place: Place;
  readonly #readEntry: (value: unknown, schemas: Schemas) => Entry | undefined;
  readonly #clock: () => number;

  constructor(
    now: NowReader,
    place: Place,
    readEntry: (value: unknown, schemas: Schemas) => Entry | undefined,
    clock: () => number,
  ) {
    this.#now = now;
    this.#place = place;
    this.#readEntry = readEntry;
    this.#clock = clock;
  }

  async read(): Promise<readonly Entry[]> {
    return (await this.#read()).stored.map(({ entry }) => entry);
  }

  change<Result>(change: (stored: StoredEntries<Entry>) => EntryChange<Entry, Result>): Promise<Result> {
    const { items } = this.#now;
    return items.shared.inLine(this.#place.namespace.join("/"), async () => {
      const { stored, generation, forgotten } = await this.#read();
      const { entries, result } = change({ entries: stored.map(({ entry }) => entry), generation });
      if (entries === undefined) return result;
      const { puts, deletes } = this.#changes(stored, entries, generation);
      await eachOf(puts, (one) => items.put(this.#place, one));
      await eachOf([...deletes, ...forgotten], (key) => items.delete(this.#place, key));
      return result;
    });
  }

  /** Once the next generation has begun: what comes late from before it is forgotten. */
  async clear(): Promise<void> {
    await this.#now.items.deleteAll(this.#place);
  }

  #changes(stored: readonly StoredEntry<Entry>[], entries: readonly Entry[], generation: number) {
    const formerByKey = new Map(stored.map((one) => [one.key, one]));
    const puts: ItemToPut[] = [];
    let latest = 0;
    for (const entry of entries) {
      const key = `e-${hashOf(entry.id)}-${generation}`;
      const former = formerByKey.get(key);
      formerByKey.delete(key);
      const isInOrder = former !== undefined && former.order > latest;
      latest = isInOrder
        ? former.order
        : Math.max(latest + 1, this.#now.items.shared.nextOrder(this.#clock()));
      if (isInOrder && isDeepStrictEqual(former.entry, entry)) continue;
      puts.push({ key, value: { ...plain("entry", entry), generation, order: latest } });
    }
    return { puts, deletes: [...formerByKey.keys()] };
  }

  async #read() {
    const [switches, found, schemas] = await Promise.all([
      this.#now.read(nowParts.switches),
      this.#now.items.search(this.#place),
      loadSchemas(),
    ]);
    const generation = generationOf(switches);
    const stored: StoredEntry<Entry>[] = [];
    const forgotten: string[] = [];
    for (const { key, value } of found) {
      const entry = this.#readEntry(unpacked(value, "entry"), schemas);
      if (entry === undefined) continue;
      if (numberOf(value.generation) < generation) forgotten.push(key);
      else stored.push({ key, entry, order: numberOf(value.order) });
    }
    stored.sort((left, right) => left.order - right.order || (left.key < right.key ? -1 : 1));
    return { stored, generation, forgotten };
  }
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
