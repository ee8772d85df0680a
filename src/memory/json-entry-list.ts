import { moveAside, readText, removeWithTraces, withLock, writeAtomic } from "../files/index.js";
import type { Reporter } from "../log.js";
import type { JsonExtractionStates } from "./json-extraction-states.js";
import type { MemoryItem } from "./memory-item.js";
import type { EntryChange, EntryList, StoredEntries } from "./memory-store.js";
import { loadSchemas, type Schemas } from "./schemas.js";

/** A JSON array in a file of its own, which is there while it has entries. What is no entry is left out. */
export class JsonEntryList<Entry extends MemoryItem> implements EntryList<Entry> {
  readonly #path: string;
  readonly #readEntry: (value: unknown, schemas: Schemas) => Entry | undefined;
  readonly #states: JsonExtractionStates;
  readonly #reporter: Reporter;
  readonly #now: () => number;

  constructor(
    path: string,
    readEntry: (value: unknown, schemas: Schemas) => Entry | undefined,
    states: JsonExtractionStates,
    reporter: Reporter,
    now: () => number,
  ) {
    this.#path = path;
    this.#readEntry = readEntry;
    this.#states = states;
    this.#reporter = reporter;
    this.#now = now;
  }

  async read(): Promise<readonly Entry[]> {
    return (await this.#read()) ?? [];
  }

  change<Result>(change: (stored: StoredEntries<Entry>) => EntryChange<Entry, Result>): Promise<Result> {
    return withLock(this.#path, async () => {
      const former = await this.#read();
      // Read under this list's lock: a clear begins the next generation before it empties the list.
      const { generation } = await this.#states.read();
      const { entries, result } = change({ entries: former ?? [], generation });
      if (entries === undefined) return result;
      if (former === undefined) {
        await moveAside(this.#path, this.#now());
        this.#reporter.recovered(this.#brokenCause);
      }
      if (entries.length > 0) await writeAtomic(this.#path, `${JSON.stringify(entries, undefined, 2)}\n`);
      else await removeWithTraces(this.#path);
      return result;
    });
  }

  /** With all that was moved aside. */
  clear(): Promise<void> {
    return withLock(this.#path, async () => {
      await removeWithTraces(this.#path);
      this.#reporter.recovered(this.#brokenCause);
    });
  }

  /** `undefined` where the file holds no list. */
  async #read(): Promise<Entry[] | undefined> {
    const values = parseArray((await readText(this.#path)) ?? "");
    if (values === undefined) {
      this.#reporter.warnOnce(
        this.#brokenCause,
        `${this.#path} holds no JSON array and is read as empty; it will be moved aside before it is written`,
      );
      return undefined;
    }
    this.#reporter.recovered(this.#brokenCause);
    if (values.length === 0) return [];
    const schemas = await loadSchemas();
    const byId = new Map<string, Entry>();
    for (const value of values) {
      const entry = this.#readEntry(value, schemas);
      if (entry !== undefined && !byId.has(entry.id)) byId.set(entry.id, entry);
    }
    return [...byId.values()];
  }

  get #brokenCause(): string {
    return `broken file ${this.#path}`;
  }
}

/** An empty file is an empty list. */
function parseArray(text: string): unknown[] | undefined {
  if (text.trim() === "") return [];
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
