import { optionError } from "./errors.js";

/** Where warnings go: `console` or anything of its shape. What it throws is swallowed. */
export interface Logger {
  warn(message: string): void;
  error(message: string): void;
}

export interface SharedRoot {
  /** While one of these is reported, none of the others is said, nor a follower. */
  readonly causes: readonly string[];
  /** How causes begin that come and go with a session, and so can't keep the others quiet. */
  readonly followers: readonly string[];
}

/**
 * Says each thing once for each cause, until that cause has worked again: a model that is down for a hundred turns is one
 * line, not a hundred. A cause is a short stable key; neither key nor message may hold what a user wrote, said or stored.
 */
export class Reporter {
  readonly #logger: Logger;
  readonly #reported = new Set<string>();
  readonly #root: SharedRoot;

  /** @param root Faults that have one root, such as a store that is down, are said once together. */
  constructor(logger: Logger, root: SharedRoot = { causes: [], followers: [] }) {
    this.#logger = logger;
    this.#root = root;
  }

  warnOnce(cause: string, message: string): void {
    this.#once("warn", cause, message);
  }

  errorOnce(cause: string, message: string): void {
    this.#once("error", cause, message);
  }

  recovered(cause: string): void {
    this.#reported.delete(cause);
  }

  #isRooted(cause: string): boolean {
    const { causes, followers } = this.#root;
    return causes.includes(cause) || followers.some((start) => cause.startsWith(start));
  }

  #once(level: "warn" | "error", cause: string, message: string): void {
    if (this.#reported.has(cause)) return;
    const isSaid = this.#isRooted(cause) && this.#root.causes.some((one) => this.#reported.has(one));
    this.#reported.add(cause);
    if (isSaid) return;
    try {
      const said: unknown = this.#logger[level](`[cross-session-memory] ${message}`);
      // A logger that writes elsewhere gives a promise: left alone, its failure would end the process.
      Promise.resolve(said).catch(ignore);
    } catch (error) {
      ignore(error);
    }
  }
}

/** A broken logger is the app's to mend; it must not break the conversation. */
function ignore(_error: unknown): void {}

export function checkLogger(value: unknown): void {
  if (typeof value !== "object" || value === null) {
    throw optionError("ERR_OPTION_TYPE", "logger", "an object with warn and error", value);
  }
}
