import { copyOfItem, type MemoryItem } from "../memory/memory-item.js";
import type { MemoryStore } from "../memory/memory-store.js";
import {
  askedIn,
  indexOf,
  isByMeaning,
  nextChoice,
  rankByMeaning,
  rankByWords,
  type SessionChoice,
  selectMemories,
  shortened,
  withinOne,
  worthsOf,
} from "../selection/index.js";
import type { Asked } from "./memory-choice.js";
import type { SessionChoices } from "./session-choices.js";
import type { SharedParts } from "./shared-parts.js";
import { VectorShelf } from "./vector-shelf.js";

type Memories = readonly MemoryItem[];

/** The choice by words, by meaning, or by a function of the app's; loaded where one is wanted. */
export class RelevantChoice {
  readonly #shared: SharedParts;
  readonly #store: MemoryStore;
  readonly #sessions: ReturnType<SessionChoices["ofOwner"]>;
  readonly #shelf: VectorShelf | undefined;
  #latest: Memories = [];

  constructor(shared: SharedParts, store: MemoryStore) {
    const { selection } = shared.options;
    this.#shared = shared;
    this.#store = store;
    this.#sessions = shared.sessionChoices.ofOwner();
    this.#shelf = isByMeaning(selection) ? new VectorShelf(selection, store.vectors, shared) : undefined;
  }

  /** Ids. Rejects where a function of the app's does. */
  async of(
    given: Memories,
    { query = "", sessionId }: Asked,
    budgetBytes: number,
  ): Promise<ReadonlySet<string>> {
    const memories = this.#steady(given);
    const { selection } = this.#shared.options;
    if (typeof selection === "function" && this.#shelf === undefined) {
      // Copies: what the app changes of them changes no later prompt.
      const chosen = await selection(memories.map(copyOfItem), { query, budgetBytes });
      return idsOf(selectMemories(memories, { query, budgetBytes, selection: () => chosen }));
    }
    const last = sessionId === undefined ? undefined : this.#sessions.get(sessionId);
    const isSame = last?.query === query && last.memories === memories && last.budgetBytes === budgetBytes;
    // A model that calls tools is asked again with the same words: the same bytes.
    const choice = isSame ? last.choice : await this.#next(memories, query, budgetBytes, last?.choice);
    if (sessionId !== undefined) this.#sessions.set(sessionId, { query, memories, budgetBytes, choice });
    return new Set(choice.keys());
  }

  /** Makes the vectors of what was stored. */
  async stored(): Promise<void> {
    if (this.#shelf === undefined) return;
    // A store that can't be read has a warning of its own.
    await this.#shelf.fill(await this.#store.memories.read().catch(() => []));
  }

  async #next(
    memories: Memories,
    query: string,
    budgetBytes: number,
    former: SessionChoice | undefined,
  ): Promise<SessionChoice> {
    const words = shortened(query);
    const asked = askedIn(words);
    const asks = asked !== "";
    const isOpen = former === undefined || asks;
    const values = await this.#values(memories, former !== undefined && asks ? asked : words, isOpen);
    const index = indexOf(memories);
    return nextChoice(index, former, { worths: worthsOf(index, values), asks, budgetBytes });
  }

  /** @param isOpen Whether the choice may change: only then are the embeddings paid. */
  async #values(memories: Memories, query: string, isOpen: boolean): Promise<Float64Array> {
    const index = indexOf(memories);
    const byWords = rankByWords(index.words, query);
    if (this.#shelf === undefined) return byWords;
    const vectors = isOpen && query.trim() !== "" ? await this.#shelf.of(index.memories, query) : undefined;
    return vectors === undefined
      ? withinOne(byWords)
      : rankByMeaning(byWords, vectors.memories, vectors.query);
  }

  /** A store may give a new array each time: the former, where it holds the same, has its index already. */
  #steady(memories: Memories): Memories {
    if (!isEqual(memories, this.#latest)) {
      indexOf(memories, this.#latest);
      this.#latest = memories;
    }
    return this.#latest;
  }
}

function isEqual(one: Memories, other: Memories): boolean {
  return one.length === other.length && one.every((item, at) => isSame(item, other[at]));
}

function isSame(item: MemoryItem, other: MemoryItem | undefined): boolean {
  return (
    item === other ||
    (item.id === other?.id &&
      item.content === other.content &&
      item.createdAt === other.createdAt &&
      item.pinned === other.pinned)
  );
}

function idsOf(memories: Memories): ReadonlySet<string> {
  return new Set(memories.map(({ id }) => id));
}
