import type { LangGraphItems, PartRange, StoredItem } from "./langgraph-items.js";
import type { Place } from "./langgraph-place.js";

/**
 * The parts of a user's place `now`, in an order that lets one search give what a turn needs: memories and switches to
 * load, switches and what waits to record.
 */
export const nowParts = { memories: 1, switches: 2, waiting: 3 } as const;

export type NowPart = (typeof nowParts)[keyof typeof nowParts];

/**
 * Reads the place `now`. What is asked for in one go (the settings and the memories, say) is one query: it is sent when
 * all that runs at this moment has asked, so that nobody gets an answer older than the question.
 */
export class NowReader {
  readonly items: LangGraphItems;
  readonly place: Place;
  #next: { range: PartRange; readonly found: Promise<StoredItem[]> } | undefined;

  constructor(items: LangGraphItems, place: Place) {
    this.items = items;
    this.place = place;
  }

  /** Everything of these parts. */
  async read(from: NowPart, to: NowPart = from): Promise<StoredItem[]> {
    this.#next ??= { range: { from, to }, found: Promise.resolve().then(() => this.#send()) };
    const { range, found } = this.#next;
    this.#next.range = { from: Math.min(range.from, from), to: Math.max(range.to, to) };
    return (await found).filter(({ value }) => {
      const part = value.memoryPart as number;
      return part >= from && part <= to;
    });
  }

  #send(): Promise<StoredItem[]> {
    const range = this.#next?.range;
    this.#next = undefined;
    return this.items.search(this.place, range);
  }
}
