import type { MemoryStore } from "../memory/memory-store.js";

/** A session, as a list shows it. */
export interface SessionSummary {
  readonly sessionId: string;
  /** Id of the last message that was distilled. */
  readonly extractedUpTo?: string | undefined;
  /** Epoch milliseconds of the last extraction that covered this session. */
  readonly extractedAt?: number | undefined;
  /** What waits to be distilled. Characters are code points. */
  readonly waiting: { readonly characters: number; readonly messages: number };
}

/** How much waits to be distilled. Characters are code points. */
export interface WaitingCount {
  readonly characters: number;
  readonly messages: number;
  readonly sessions: number;
}

/** The sessions that something is known of. */
export class Sessions {
  readonly #store: MemoryStore;
  readonly #forgetWaiting: (sessionId: string) => Promise<number>;
  readonly #forgetLearned: (sessionId: string) => Promise<number>;

  constructor(
    store: MemoryStore,
    forgetWaiting: (sessionId: string) => Promise<number>,
    forgetLearned: (sessionId: string) => Promise<number>,
  ) {
    this.#store = store;
    this.#forgetWaiting = forgetWaiting;
    this.#forgetLearned = forgetLearned;
  }

  /** Every session that has a record, a history of ours, or something that waits. */
  async list(): Promise<SessionSummary[]> {
    const { sessions, waiting, conversations } = this.#store;
    const [records, totals, kept] = await Promise.all([
      sessions.list(),
      waiting.totals(),
      conversations.list(),
    ]);
    const recordOf = new Map(records.map((record) => [record.sessionId, record]));
    return [...new Set([...recordOf.keys(), ...totals.keys(), ...kept])].map((sessionId) => {
      const { extractedUpTo, extractedAt } = recordOf.get(sessionId) ?? {};
      const { characters, messages } = totals.get(sessionId) ?? { characters: 0, messages: 0 };
      return {
        sessionId,
        ...(extractedUpTo !== undefined && { extractedUpTo }),
        ...(extractedAt !== undefined && { extractedAt }),
        waiting: { characters, messages },
      };
    });
  }

  /**
   * Removes a session's record, its history and what waits of it. Gives whether there was anything.
   *
   * @param options.learned Also delete the memories that came from it: those learned in it, also where several sessions were
   * asked about at once and the reply named none, and those written with it as their source (`remember`). What a person
   * corrected since stays. Default: false.
   */
  async remove(sessionId: string, options: RemoveSessionOptions = {}): Promise<boolean> {
    const { learned = false } = options;
    const dropped = await this.#forgetWaiting(sessionId);
    // Before the record: while the session is in a list, what came from it can be deleted again.
    const forgotten = learned ? await this.#forgetLearned(sessionId) : 0;
    const removed = await Promise.all([
      this.#store.sessions.remove(sessionId),
      this.#store.conversations.remove(sessionId),
    ]);
    return dropped + forgotten > 0 || removed.includes(true);
  }
}

export interface RemoveSessionOptions {
  /**
   * Whether the memories that were learned in the session go too; what a person corrected stays.
   *
   * @default false
   */
  readonly learned?: boolean | undefined;
}

/** What was said and is not distilled yet. */
export class Waiting {
  readonly #store: MemoryStore;
  readonly #clearWaiting: () => Promise<number>;

  constructor(store: MemoryStore, clearWaiting: () => Promise<number>) {
    this.#store = store;
    this.#clearWaiting = clearWaiting;
  }

  async count(): Promise<WaitingCount> {
    const totals = [...(await this.#store.waiting.totals()).values()];
    return {
      characters: totals.reduce((sum, { characters }) => sum + characters, 0),
      messages: totals.reduce((sum, { messages }) => sum + messages, 0),
      sessions: totals.length,
    };
  }

  /** Drops all of it unlearned. Gives how many messages there were. */
  clear(): Promise<number> {
    return this.#clearWaiting();
  }
}
