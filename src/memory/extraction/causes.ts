import type { Reporter } from "../../log.js";
import { localDate } from "../local-date.js";

/** What an attempt depends on. */
export type Cause = "model" | "store" | "saving" | "state";

/** Says each reason of each cause once, until that cause has worked again. Reasons never hold what anybody said. */
export class Causes {
  readonly #reporter: Reporter;
  readonly #said = new Map<Cause, Set<string>>();

  constructor(reporter: Reporter) {
    this.#reporter = reporter;
  }

  warn(cause: Cause, reason: string, message: string): void {
    this.#reporter.warnOnce(this.#key(cause, reason), message);
  }

  error(cause: Cause, reason: string, message: string): void {
    this.#reporter.errorOnce(this.#key(cause, reason), message);
  }

  /** The same the next day is worth a new line, which comes by itself: that day's reason has not been said. */
  oncePerDay(reason: string, now: number): void {
    const day = localDate(new Date(now));
    this.#reporter.warnOnce(
      `${reason} on ${day}`,
      `${reason}: nothing more is learned on ${day}; what waits is kept`,
    );
  }

  worksAgain(cause: Cause): void {
    for (const key of this.#said.get(cause) ?? []) this.#reporter.recovered(key);
    this.#said.delete(cause);
  }

  #key(cause: Cause, reason: string): string {
    const key = `extraction ${cause} ${reason}`;
    const said = this.#said.get(cause) ?? new Set();
    this.#said.set(cause, said.add(key));
    return key;
  }
}
