import { eachOf, type LangGraphItems, type StoredItem } from "./langgraph-items.js";
import { packed, unpacked } from "./langgraph-packed.js";
import { hashOf, type Place } from "./langgraph-place.js";
import type { MemoryItem } from "./memory-item.js";
import { contentHash, type MemoryVectors, readVector, vectorText } from "./memory-vectors.js";

interface StoredVector {
  readonly name: string;
  readonly hash: string;
  readonly vector: string;
}

/** One item a vector, in a place of its own that a turn without embeddings never reads. */
export class LangGraphMemoryVectors implements MemoryVectors {
  readonly #items: LangGraphItems;
  readonly #place: Place;
  readonly #memories: () => Promise<readonly MemoryItem[]>;

  constructor(items: LangGraphItems, place: Place, memories: () => Promise<readonly MemoryItem[]>) {
    this.#items = items;
    this.#place = place;
    this.#memories = memories;
  }

  async read(embeddingsName: string): Promise<ReadonlyMap<string, Int8Array>> {
    const found = new Map<string, Int8Array>();
    for (const item of await this.#items.search(this.#place)) {
      const stored = readStored(item);
      const vector = stored?.name === embeddingsName ? readVector(stored.vector) : undefined;
      if (stored !== undefined && vector !== undefined) found.set(stored.hash, vector);
    }
    return found;
  }

  async add(embeddingsName: string, vectors: ReadonlyMap<string, Int8Array>): Promise<void> {
    const puts = [...vectors].map(([hash, vector]) => ({
      key: `v-${hashOf(`${embeddingsName}\0${hash}`)}`,
      value: packed({ name: embeddingsName, hash, vector: vectorText(vector) } satisfies StoredVector),
    }));
    await eachOf(puts, (one) => this.#items.put(this.#place, one));
    // Afterwards, for what was forgotten while they were made or written.
    await this.keepOnly(await this.#memories());
  }

  /** Deletes the vectors of all else. */
  async keepOnly(items: readonly MemoryItem[]): Promise<void> {
    const hashes = new Set(items.map(({ content }) => contentHash(content)));
    const stored = await this.#items.search(this.#place);
    const others = stored.filter((item) => !hashes.has(readStored(item)?.hash ?? ""));
    await eachOf(others, ({ key }) => this.#items.delete(this.#place, key));
  }

  async clear(): Promise<void> {
    await this.#items.deleteAll(this.#place);
  }
}

function readStored({ value }: StoredItem): StoredVector | undefined {
  const stored = unpacked(value) as Partial<StoredVector> | undefined | null;
  const { name, hash, vector } = stored ?? {};
  const isUsable = typeof name === "string" && typeof hash === "string" && typeof vector === "string";
  return isUsable ? { name, hash, vector } : undefined;
}
