import { CachedFile, moveAside, readText, removeWithTraces, withLock, writeAtomic } from "../files/index.js";
import type { Reporter } from "../log.js";
import type { Candidate } from "./candidate.js";
import type { JsonEntryList } from "./json-entry-list.js";
import type { JsonExtractionStates } from "./json-extraction-states.js";
import type { JsonMemoryVectors } from "./json-memory-vectors.js";
import type { MemoryItem } from "./memory-item.js";
import type { MemoryChange, MemoryCollection, StoredMemories } from "./memory-store.js";
import { type RawItem, readItems, writeItems } from "./read-items.js";
import { type ReplacedMemory, withReplaced } from "./replaced-memory.js";
import { loadSchemas, type Schemas } from "./schemas.js";

/** What changes and goes with the memories. */
export interface JsonMemoriesParts {
  readonly extraction: JsonExtractionStates;
  readonly replaced: JsonEntryList<ReplacedMemory>;
  readonly candidates: JsonEntryList<Candidate>;
  readonly vectors: JsonMemoryVectors;
}

/** `memory.json`: a JSON array of memories, oldest first. */
export class JsonMemories implements MemoryCollection {
  readonly #path: string;
  readonly #parts: JsonMemoriesParts;
  readonly #reporter: Reporter;
  readonly #now: () => number;
  readonly #cache: CachedFile<unknown>;
  #latest: { readonly parsed: unknown; readonly items: readonly MemoryItem[] } | undefined;

  constructor(path: string, parts: JsonMemoriesParts, reporter: Reporter, now: () => number) {
    this.#path = path;
    this.#parts = parts;
    this.#reporter = reporter;
    this.#now = now;
    this.#cache = new CachedFile(path, parseJson);
  }

  async read(): Promise<readonly MemoryItem[]> {
    const parsed = await this.#cache.read();
    if (parsed === undefined) return [];
    // An unchanged file gives the same value, which needs no second look.
    if (this.#latest?.parsed !== parsed) {
      this.#latest = { parsed, items: usableItems(this.#rawItems(parsed, await loadSchemas())) };
    }
    return this.#latest.items;
  }

  change<Result>(change: (stored: StoredMemories) => MemoryChange<Result>): Promise<Result> {
    return withLock(this.#path, async () => {
      const schemas = await loadSchemas();
      const parsed = parseJson((await readText(this.#path)) ?? "");
      const former = this.#rawItems(parsed, schemas);
      const { generation } = await this.#parts.extraction.read();
      const { items, replaced = [], result } = change({ items: usableItems(former), generation });
      // Killed in between, it is in both lists, and so still a memory.
      if (replaced.length > 0) {
        await this.#parts.replaced.change(({ entries }) => ({
          entries: withReplaced(entries, replaced),
          result: undefined,
        }));
      }
      if (items !== undefined) {
        if (!Array.isArray(parsed)) await this.#moveAside();
        // First: killed in between, a vector is made anew, and none outlives its memory.
        await this.#parts.vectors.keepOnly(items);
        await writeAtomic(this.#path, `${JSON.stringify(writeItems(former, items), undefined, 2)}\n`);
      }
      return result;
    });
  }

  clear(): Promise<number> {
    return withLock(this.#path, async () => {
      const schemas = await loadSchemas();
      const parsed = parseJson((await readText(this.#path)) ?? "");
      // The generation first: killed between the two, an extraction under way is dropped and the memories are still there.
      await this.#parts.extraction.nextGeneration();
      await this.#parts.replaced.clear();
      await this.#parts.candidates.clear();
      await this.#parts.vectors.clear();
      // With all that was moved aside: a person who clears wants nothing of it left.
      await removeWithTraces(this.#path);
      if (!Array.isArray(parsed)) this.#reporter.recovered(this.#brokenCause);
      return usableItems(this.#rawItems(parsed, schemas)).length;
    });
  }

  #rawItems(parsed: unknown, schemas: Schemas): RawItem[] {
    if (Array.isArray(parsed)) {
      this.#reporter.recovered(this.#brokenCause);
      return readItems(parsed, schemas);
    }
    this.#reporter.warnOnce(
      this.#brokenCause,
      `${this.#path} holds no JSON array and is read as empty; it will be moved aside before it is written`,
    );
    return [];
  }

  /** The next broken file in its place is worth a new warning. */
  async #moveAside(): Promise<void> {
    await moveAside(this.#path, this.#now());
    this.#reporter.recovered(this.#brokenCause);
  }

  get #brokenCause(): string {
    return `broken file ${this.#path}`;
  }
}

/** An empty file is an empty list; what is no JSON is no list. */
function parseJson(text: string): unknown {
  if (text.trim() === "") return [];
  try {
    return JSON.parse(text);
  } catch {
    return "not JSON";
  }
}

function usableItems(rawItems: readonly RawItem[]): MemoryItem[] {
  return rawItems
    .flatMap(({ item }) => (item === undefined ? [] : [item]))
    .sort((left, right) => left.createdAt - right.createdAt);
}
