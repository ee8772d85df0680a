import { CachedFile, removeWithTraces, withLock } from "../files/index.js";
import { parseVectors, updateVectors, type VectorFile } from "./json-vector-file.js";
import type { MemoryItem } from "./memory-item.js";
import { type MemoryVectors, readVector, vectorText } from "./memory-vectors.js";

/** `vectors.json`, beside the memories and under their lock. There is none where no embeddings are used. */
export class JsonMemoryVectors implements MemoryVectors {
  readonly #path: string;
  readonly #memoriesPath: string;
  readonly #memories: () => Promise<readonly MemoryItem[]>;
  readonly #file: CachedFile<VectorFile>;

  constructor(path: string, memoriesPath: string, memories: () => Promise<readonly MemoryItem[]>) {
    this.#path = path;
    this.#memoriesPath = memoriesPath;
    this.#memories = memories;
    this.#file = new CachedFile(path, parseVectors);
  }

  async read(embeddingsName: string): Promise<ReadonlyMap<string, Int8Array>> {
    const file = await this.#file.read();
    const found = Object.entries(file?.[embeddingsName] ?? {});
    return new Map(
      found.flatMap(([hash, text]) => {
        const vector = readVector(text);
        return vector === undefined ? [] : [[hash, vector] as const];
      }),
    );
  }

  async add(embeddingsName: string, vectors: ReadonlyMap<string, Int8Array>): Promise<void> {
    // The folder of a user who was deleted meanwhile must not come back for a lock.
    if ((await this.#memories()).length === 0) return;
    const texts = Object.fromEntries([...vectors].map(([hash, vector]) => [hash, vectorText(vector)]));
    await withLock(this.#memoriesPath, async () =>
      updateVectors(this.#path, await this.#memories(), { name: embeddingsName, vectors: texts }),
    );
  }

  /** Removes the vectors of all else. The caller holds the lock of the memories. */
  keepOnly(items: readonly MemoryItem[]): Promise<void> {
    return updateVectors(this.#path, items);
  }

  /** The caller holds the lock of the memories. */
  clear(): Promise<void> {
    return removeWithTraces(this.#path);
  }
}
