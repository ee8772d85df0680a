import { codePointLength } from "../text/index.js";
import { eachOf } from "./langgraph-items.js";
import { type NowReader, nowParts } from "./langgraph-now.js";
import { packed, unpacked } from "./langgraph-packed.js";
import { hashOf } from "./langgraph-place.js";
import type { WaitingQueue } from "./memory-store.js";
import type { WaitingEntry, WaitingTotals } from "./waiting-entry.js";

/** What one append brought, or what is left of it. */
interface WaitingTurn {
  readonly key: string;
  /** Grows with time, in all processes. */
  readonly order: number;
  readonly entries: readonly WaitingEntry[];
}

/** One item a turn: recording is one write, and a killed process leaves a whole turn or none. */
export class LangGraphWaitingQueue implements WaitingQueue {
  readonly answersTogether = true;
  readonly #now: NowReader;
  readonly #clock: () => number;

  constructor(now: NowReader, clock: () => number) {
    this.#now = now;
    this.#clock = clock;
  }

  append(entries: readonly WaitingEntry[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    const key = `w-${hashOf(JSON.stringify(entries.map(({ entryId }) => entryId)))}`;
    const order = this.#now.items.shared.nextOrder(this.#clock());
    return this.#put({ key, order, entries });
  }

  async read(): Promise<readonly WaitingEntry[]> {
    const taken = new Set<string>();
    return (await this.#turns())
      .flatMap(({ entries }) => entries)
      .filter(({ entryId }) => !taken.has(entryId) && taken.add(entryId));
  }

  async of(sessionId: string, messageIds: ReadonlySet<string>): Promise<readonly WaitingEntry[]> {
    return (await this.read()).filter(({ session, id }) => session === sessionId && messageIds.has(id));
  }

  async totals(): Promise<ReadonlyMap<string, WaitingTotals>> {
    const totals = new Map<string, WaitingTotals>();
    for (const { session, text, time } of await this.read()) {
      const { characters = 0, messages = 0, lastTime = 0 } = totals.get(session) ?? {};
      totals.set(session, {
        characters: characters + codePointLength(text),
        messages: messages + 1,
        lastTime: Math.max(lastTime, time),
      });
    }
    return totals;
  }

  remove(entryIds: ReadonlySet<string>): Promise<void> {
    const { items, place } = this.#now;
    return items.shared.inLine(`waiting ${place.namespace.join("/")}`, async () => {
      const touched = (await this.#turns()).filter(({ entries }) =>
        entries.some(({ entryId }) => entryIds.has(entryId)),
      );
      await eachOf(touched, (turn) => {
        const entries = turn.entries.filter(({ entryId }) => !entryIds.has(entryId));
        return entries.length === 0 ? items.delete(place, turn.key) : this.#put({ ...turn, entries });
      });
    });
  }

  #put({ key, order, entries }: WaitingTurn): Promise<void> {
    const { items, place } = this.#now;
    return items.put(place, { key, value: { order, ...packed(entries) }, part: nowParts.waiting });
  }

  async #turns(): Promise<WaitingTurn[]> {
    const turns = (await this.#now.read(nowParts.waiting)).map(({ key, value }): WaitingTurn => {
      const entries = unpacked(value);
      const order = typeof value.order === "number" ? value.order : 0;
      return { key, order, entries: Array.isArray(entries) ? entries : [] };
    });
    return turns.sort((left, right) => left.order - right.order || (left.key < right.key ? -1 : 1));
  }
}
