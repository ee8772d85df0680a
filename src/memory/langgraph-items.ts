import { isPostgresStore, type LangGraphItem, type LangGraphStoreLike } from "./langgraph-base-store.js";
import { liesIn, type Place } from "./langgraph-place.js";
import { type SharedByBase, sharedBy } from "./langgraph-shared.js";

/** How an item is sorted within its place: one search takes a range. */
export interface PartRange {
  readonly from: number;
  readonly to: number;
}

export interface StoredItem {
  readonly key: string;
  readonly value: Record<string, unknown>;
}

export interface ItemToPut extends StoredItem {
  readonly part?: number;
}

/** Stores give 10 items unless told. More than this a page are asked for again, from where it ended. */
const pageSize = 100_000;

const writesAtATime = 8;

/** The items of one base store: every search, whatever the store, gives exactly what lies in a place. */
export class LangGraphItems {
  readonly shared: SharedByBase;
  readonly base: LangGraphStoreLike;
  readonly #timeoutMs: number;
  readonly #searchesByMark: boolean;

  constructor(store: LangGraphStoreLike, timeoutMs: number) {
    this.base = store;
    this.#timeoutMs = timeoutMs;
    this.#searchesByMark = isPostgresStore(store);
    this.shared = sharedBy(store);
  }

  async get({ namespace }: Place, key: string): Promise<Record<string, unknown> | undefined> {
    const item = await this.#inTime(() => this.base.get([...namespace], key));
    return item?.value ?? undefined;
  }

  /** One query, for up to 100,000 items. */
  async search(place: Place, parts?: PartRange): Promise<StoredItem[]> {
    return (await this.#found(place, parts)).map(({ key, value }) => ({ key, value }));
  }

  put(place: Place, { key, value, part = 0 }: ItemToPut): Promise<void> {
    const marks = Object.fromEntries(place.marks.map((mark) => [mark, true]));
    const marked = { ...value, ...marks, memoryPart: part };
    // Never embedded: a store with an index would send every word that waits to its embeddings.
    const store = this.base as unknown as {
      put(namespace: string[], key: string, value: object, index: false): Promise<void>;
    };
    return this.#inTime(() => store.put([...place.namespace], key, marked, false));
  }

  delete({ namespace }: Place, key: string): Promise<void> {
    return this.#inTime(() => this.base.delete([...namespace], key));
  }

  /** Deletes everything in and below a place. Gives how many items. */
  async deleteAll(place: Place): Promise<number> {
    const found = await this.#found(place);
    await eachOf(found, ({ namespace, key }) => this.#inTime(() => this.base.delete([...namespace], key)));
    return found.length;
  }

  async #found(place: Place, parts?: PartRange): Promise<LangGraphItem[]> {
    const filter = parts && { memoryPart: { $gte: parts.from, $lte: parts.to } };
    const mark = place.marks.at(-1);
    if (!this.#searchesByMark || mark === undefined) return this.#pages(place, parts, filter);
    const found = await this.#pages(place, parts, { ...filter, [mark]: { $exists: true } });
    if (found.length > 0) this.shared.isMarkProven = true;
    // A later version of that store might understand the mark differently: nobody's memories may vanish by it.
    return found.length > 0 || this.shared.isMarkProven ? found : this.#pages(place, parts, filter);
  }

  async #pages(place: Place, parts: PartRange | undefined, filter?: Record<string, unknown>) {
    const found: LangGraphItem[] = [];
    for (let offset = 0; ; offset += pageSize) {
      const page = await this.#inTime(() =>
        this.base.search([...place.namespace], {
          limit: pageSize,
          ...(offset > 0 && { offset }),
          ...(filter && { filter }),
        }),
      );
      found.push(...page.filter((item) => liesIn(item.namespace, place) && isWithin(item, parts)));
      if (page.length < pageSize) return once(found);
    }
  }

  /** A store that doesn't answer must not hold a conversation. */
  async #inTime<Result>(work: () => Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(Object.assign(new Error("the store did not answer in time"), { code: "ETIMEDOUT" }));
      }, this.#timeoutMs);
    });
    try {
      return await Promise.race([work(), timeout]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A page may repeat what moved meanwhile, and a store without a primary key may hold one of two that were put at once twice. */
function once(items: readonly LangGraphItem[]): LangGraphItem[] {
  const byPath = new Map<string, LangGraphItem>();
  for (const item of items) {
    const path = JSON.stringify([item.namespace, item.key]);
    if (!byPath.has(path)) byPath.set(path, item);
  }
  return [...byPath.values()];
}

/** A few at a time: a pool of connections is the app's too. Rejects with the first failure, when all have ended. */
export async function eachOf<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < items.length; from += writesAtATime) {
    const done = await Promise.allSettled(items.slice(from, from + writesAtATime).map(work));
    const failed = done.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }
}

function isWithin({ value }: LangGraphItem, parts: PartRange | undefined): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { memoryPart } = value;
  if (typeof memoryPart !== "number") return false;
  return parts === undefined || (memoryPart >= parts.from && memoryPart <= parts.to);
}
