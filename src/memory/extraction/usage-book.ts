import { localDate } from "../local-date.js";
import type { ExtractionState, ExtractionStates } from "../memory-store.js";
import { type DayUsage, recentUsage, type UsageCount, usageOf, withUsage } from "../usage.js";

/**
 * Counts what attempts cost, and writes it in one step with whatever else changes in the extraction's state. What can't
 * be written is kept and goes with the next.
 */
export class UsageBook {
  readonly #states: ExtractionStates;
  readonly #now: () => number;
  #unwritten: readonly DayUsage[] = [];

  constructor(states: ExtractionStates, now: () => number) {
    this.#states = states;
    this.#now = now;
  }

  count(count: UsageCount): void {
    this.#unwritten = withUsage(this.#unwritten, this.#today, count);
  }

  /** Writes what was counted, and this change with it. */
  async change(change: (state: ExtractionState) => ExtractionState = (state) => state): Promise<void> {
    const written = this.#unwritten;
    await this.#states.change((state) => added(change(state), written));
    // Attempts of one user go one after the other, so nothing was counted meanwhile.
    this.#unwritten = [];
  }

  /** Today's, with what no file holds yet. */
  today(state: ExtractionState): DayUsage {
    return usageOf(added(state, this.#unwritten).usage, this.#today);
  }

  /** The last 30 days that have anything, newest last. */
  days(state: ExtractionState): DayUsage[] {
    return recentUsage(added(state, this.#unwritten).usage ?? [], this.#today);
  }

  get #today(): string {
    return localDate(new Date(this.#now()));
  }
}

function added(state: ExtractionState, counted: readonly DayUsage[]): ExtractionState {
  if (counted.length === 0) return state;
  return {
    ...state,
    usage: counted.reduce(
      (usage, { day, ...count }) => withUsage(usage, day, count),
      [...(state.usage ?? [])],
    ),
  };
}
