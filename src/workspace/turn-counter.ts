import { totalsWith } from "../memory/extraction/due.js";
import type { WaitingEntry, WaitingTotals } from "../memory/waiting-entry.js";

type Totals = ReadonlyMap<string, WaitingTotals>;

/** The count of what waits around one turn. */
export interface TurnCount {
  /** What waited when the turn's recording began. */
  before(totals: Promise<Totals>): void;
  add(queued: readonly WaitingEntry[]): Promise<void>;
}

/**
 * Knows what waits after a turn without asking the store again: what waited before, which was read with all else that the
 * turn needs, and what it brought. Where turns of one user overlap in this process, nothing is known and the store is asked.
 */
export class TurnCounter {
  #latest: Totals | undefined;
  #begun = 0;
  #running = 0;

  async around(record: (count: TurnCount) => Promise<void>): Promise<void> {
    const begun = ++this.#begun;
    const isFirst = this.#running++ === 0;
    let before: Promise<Totals | undefined> = Promise.resolve(undefined);
    // Whatever becomes of this turn, an earlier count is over.
    this.#latest = undefined;
    try {
      await record({
        before: (totals) => {
          // Whoever needs the totals asks again, and says why it fails.
          before = totals.catch(() => undefined);
        },
        add: async (queued) => {
          const totals = await before;
          const isAlone = isFirst && begun === this.#begun;
          if (isAlone && totals !== undefined) this.#latest = totalsWith(totals, queued);
        },
      });
    } finally {
      this.#running--;
    }
  }

  /** Once: what has happened since is known to the store alone. */
  take(): Totals | undefined {
    const latest = this.#latest;
    this.#latest = undefined;
    return latest;
  }
}
