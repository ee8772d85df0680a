import type { MemoryItem } from "../memory/memory-item.js";
import type { SessionChoice } from "../selection/index.js";

/** What a session was last given, and for what. */
export interface LastChoice {
  readonly query: string;
  readonly memories: readonly MemoryItem[];
  readonly budgetBytes: number;
  readonly choice: SessionChoice;
}

/** So many sessions are known in one process, over all users; one that comes again later chooses freely once. */
const maxSessions = 1000;

/** The sessions' last choices, in memory alone; the least lately used goes first. */
export class SessionChoices {
  readonly #choices = new Map<string, LastChoice>();
  #owners = 0;

  /** A user's own sessions: the same id of another user is another session. */
  ofOwner(): {
    get(sessionId: string): LastChoice | undefined;
    set(sessionId: string, last: LastChoice): void;
  } {
    const owner = this.#owners++;
    const keyOf = (sessionId: string) => `${owner} ${sessionId}`;
    return {
      get: (sessionId) => this.#choices.get(keyOf(sessionId)),
      set: (sessionId, last) => this.#set(keyOf(sessionId), last),
    };
  }

  #set(key: string, last: LastChoice): void {
    this.#choices.delete(key);
    this.#choices.set(key, last);
    const [oldest] = this.#choices.keys();
    if (this.#choices.size > maxSessions && oldest !== undefined) this.#choices.delete(oldest);
  }
}
