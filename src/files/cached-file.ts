import { type BigIntStats, statSync } from "node:fs";
import { isMissing } from "./error-code.js";
import { isSettled, stampOf } from "./file-stamp.js";
import { readText } from "./read-text.js";

/**
 * A file that is read for every model call but parsed only when it has changed. The value is shared between calls: treat it
 * as frozen. What `parse` throws, and any fault of reading but a missing file, rejects and is tried again at the next call.
 */
export class CachedFile<Value> {
  readonly #path: string;
  readonly #parse: (text: string) => Value;
  #known: { readonly stamp: string; readonly value: Value } | undefined;

  constructor(path: string, parse: (text: string) => Value) {
    this.#path = path;
    this.#parse = parse;
  }

  /** `undefined` where there is no file. */
  async read(): Promise<Value | undefined> {
    // The stamp is taken before reading: a change in between makes it differ next time, never look known.
    const stats = statOrMissing(this.#path);
    const stamp = stats && stampOf(stats);
    if (this.#known !== undefined && this.#known.stamp === stamp) return this.#known.value;
    this.#known = undefined;
    const text = stats && (await readText(this.#path));
    if (stats === undefined || stamp === undefined || text === undefined) return undefined;
    const value = this.#parse(text);
    if (isSettled(stats)) this.#known = { stamp, value };
    return value;
  }
}

/** Synchronous: some 4 µs, and 50 by way of the thread pool; a turn waits for three of these. */
function statOrMissing(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
