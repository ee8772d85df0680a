import { isForgotten, pruned } from "../forgotten.js";
import type { MemoryItem } from "../memory-item.js";
import type { ExtractionState } from "../memory-store.js";
import { seenMessages, withSeen } from "../session-record.js";
import type { WaitingEntry } from "../waiting-entry.js";
import { bySession, changeWhileWaiting } from "./change-while-waiting.js";
import { afterSuccess } from "./part-failures.js";
import {
  type LearnedPart,
  proposeLearned,
  rememberLearned,
  type StoreLearnedOptions,
} from "./store-learned.js";
import type { UsageBook } from "./usage-book.js";

/** A part of what waited, and what the model made of it. */
export interface AnsweredPart extends LearnedPart {
  readonly entries: readonly WaitingEntry[];
  readonly learned: readonly MemoryItem[];
}

export interface AnsweredPartsOptions extends StoreLearnedOptions {
  readonly usage: UsageBook;
  /** Whether what is learned waits for a person. */
  readonly review: boolean;
}

/**
 * Writes answered parts, in this order: the memories, the cursor, and then the part leaves the queue. Killed in between, a
 * request may be made again; nothing is lost and no fact is stored twice.
 *
 * What was paid for and can't be written is held, one part at most, and written before anything else is asked.
 */
export class AnsweredParts {
  readonly #options: AnsweredPartsOptions;
  #held: { readonly part: AnsweredPart; stored?: number } | undefined;

  constructor(options: AnsweredPartsOptions) {
    this.#options = options;
  }

  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /** Gives how many facts were stored. Rejects where something can't be written; the part is then held. */
  save(part: AnsweredPart): Promise<number> {
    this.#held = { part };
    return this.saveHeld();
  }

  /** The same for the part that is held; 0 where none is. */
  async saveHeld(): Promise<number> {
    if (this.#held === undefined) return 0;
    const { store, usage } = this.#options;
    const { part } = this.#held;
    const waiting = await store.waiting.read();
    // What a person took out of the queue while the model was asked is not wanted any more.
    const inQueue = new Set(waiting.map(({ entryId }) => entryId));
    const entries = part.entries.filter(({ entryId }) => inQueue.has(entryId));
    const done = new Set(entries.map(({ entryId }) => entryId));
    // Counted once the memories are in their file: a cursor that can't be written doesn't write them again.
    if (this.#held.stored === undefined) {
      this.#held.stored = await this.#saveMemories(part, entries);
      usage.count({ stored: this.#held.stored });
    }
    await this.#moveCursors(entries);
    // Where nothing of it waits any more, its user may have been deleted: no file comes back by it.
    if (entries.length > 0) {
      await store.waiting.remove(done);
      const left = waiting.filter(({ entryId }) => !done.has(entryId));
      await usage.change((state) => this.#afterSuccess(state, part, left));
    }
    const { stored } = this.#held;
    this.#held = undefined;
    return stored;
  }

  #afterSuccess(state: ExtractionState, part: AnsweredPart, left: readonly WaitingEntry[]): ExtractionState {
    const sent = new Set(part.entries.map(({ entryId }) => entryId));
    const after = afterSuccess(state, sent, (id) => left.some(({ entryId }) => entryId === id));
    const { forgotten, ...others } = after;
    const oldest = left.reduce((time, entry) => Math.min(time, entry.time), Number.POSITIVE_INFINITY);
    const stillForgotten = pruned(forgotten, oldest, this.#options.now());
    return stillForgotten === undefined ? others : { ...others, forgotten: stillForgotten };
  }

  async #saveMemories(part: AnsweredPart, stillWaiting: readonly WaitingEntry[]): Promise<number> {
    const sessions = new Set(stillWaiting.map(({ session }) => session));
    // Where a session was taken out of the queue, what was learned from it goes too, and what may come from it.
    const isWhole = part.entries.every(({ session }) => sessions.has(session));
    const wanted = part.learned.filter(({ sourceScope }) => isWhole || sessions.has(sourceScope));
    const learned = await this.#notForgotten(wanted, part.entries);
    if (learned.length === 0) return 0;
    const keep = this.#options.review ? proposeLearned : rememberLearned;
    return keep(learned, part, this.#options);
  }

  /** Read as late as can be: a fact may have been deleted while the model was asked. */
  async #notForgotten(
    learned: readonly MemoryItem[],
    entries: readonly WaitingEntry[],
  ): Promise<readonly MemoryItem[]> {
    if (learned.length === 0) return learned;
    const { forgotten } = await this.#options.store.extraction.read();
    const saidAt = entries.reduce((time, entry) => Math.min(time, entry.time), Number.POSITIVE_INFINITY);
    return learned.filter(({ content }) => !isForgotten(forgotten, content, saidAt));
  }

  async #moveCursors(entries: readonly WaitingEntry[]): Promise<void> {
    const { store, now } = this.#options;
    await changeWhileWaiting(store, bySession(entries).values(), (record, messages) => ({
      ...withSeen(record, seenMessages(messages)),
      extractedUpTo: messages.at(-1)?.id,
      extractedAt: now(),
    }));
  }
}
