import type { ConversationEntry } from "./conversation-entry.js";
import type { LangGraphItems } from "./langgraph-items.js";
import { packed, unpacked } from "./langgraph-packed.js";
import { hashOf, type Place } from "./langgraph-place.js";
import type { Conversations } from "./memory-store.js";

/** One item a turn, in a place of its own for each session. */
export class LangGraphConversations implements Conversations {
  readonly #items: LangGraphItems;
  readonly #placeOf: (...labels: string[]) => Place;
  readonly #clock: () => number;

  /** @param placeOf Gives the place of all conversations, or of one by its label. */
  constructor(items: LangGraphItems, placeOf: (...labels: string[]) => Place, clock: () => number) {
    this.#items = items;
    this.#placeOf = placeOf;
    this.#clock = clock;
  }

  append(sessionId: string, entries: readonly ConversationEntry[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    const key = `c-${hashOf(JSON.stringify(entries.map(({ entryId }) => entryId)))}`;
    const order = this.#items.shared.nextOrder(this.#clock());
    return this.#items.put(this.#placeOfSession(sessionId), { key, value: { order, ...packed(entries) } });
  }

  async read(sessionId: string): Promise<readonly ConversationEntry[]> {
    const found = await this.#items.search(this.#placeOfSession(sessionId));
    const taken = new Set<string>();
    return found
      .sort((left, right) => orderOf(left.value) - orderOf(right.value) || (left.key < right.key ? -1 : 1))
      .flatMap(({ value }) => entriesIn(value))
      .filter(({ entryId, session }) => session === sessionId && !taken.has(entryId) && taken.add(entryId));
  }

  async remove(sessionId: string): Promise<boolean> {
    return (await this.#items.deleteAll(this.#placeOfSession(sessionId))) > 0;
  }

  /** Reads all of them: for lists and moving house, not for a turn. */
  async list(): Promise<readonly string[]> {
    const found = await this.#items.search(this.#placeOf());
    return [...new Set(found.flatMap(({ value }) => entriesIn(value)[0]?.session ?? []))].sort();
  }

  #placeOfSession(sessionId: string): Place {
    return this.#placeOf(hashOf(sessionId));
  }
}

function orderOf({ order }: Record<string, unknown>): number {
  return typeof order === "number" ? order : 0;
}

function entriesIn(value: Record<string, unknown>): readonly ConversationEntry[] {
  const entries = unpacked(value);
  return Array.isArray(entries) ? entries : [];
}
