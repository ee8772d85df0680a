import { type Appended, appendText } from "./log-append.js";
import { replaceLog } from "./log-replace.js";
import { waitForReplacement } from "./log-replacement.js";
import { type LogPosition, type LogScan, scanLog } from "./log-scan.js";

export type { LogPosition, LogScan } from "./log-scan.js";

/**
 * A file of JSON lines that several processes append to without a lock, and that one at a time may rewrite. What `append`
 * has resolved for is found by every later read, in this process or another, until a `replace` lets go of it. A missing
 * file is an empty log.
 */
export class AppendLog<Entry extends { readonly entryId: string }> {
  readonly #path: string;
  readonly #parse: (value: unknown) => Entry | undefined;
  /** Appends of one log go one after the other, in the order of the calls. */
  #line: Promise<void> = Promise.resolve();
  #latest: Appended | undefined;

  /** `parse` narrows the value of a line; a line for which it gives `undefined` is skipped. */
  constructor(path: string, parse: (value: unknown) => Entry | undefined) {
    this.#path = path;
    this.#parse = parse;
  }

  /**
   * Adds entries at the end by one write. Waits neither for a lock nor for fsync: survives a killed process, not a power
   * cut. Where it rejects (`ERR_WRITE_INCOMPLETE`: the disk took a part only) some may be there; append the same entries
   * again, an `entryId` counts once.
   */
  append(entries: readonly Entry[]): Promise<void> {
    const lines = entries.map((entry) => ({ entryId: entry.entryId, text: `${JSON.stringify(entry)}\n` }));
    const result = this.#line.then(() => this.#append(lines));
    this.#line = result.catch(() => {
      // The caller of that append is told; the next one is tried all the same.
    });
    return result;
  }

  /** All entries in order. */
  async read(): Promise<Entry[]> {
    return [...(await this.scan()).entries];
  }

  /** What was appended since `position`, or all without one. `restarted`: the file is another one now, so it is all again. */
  scan(position?: LogPosition): Promise<LogScan<Entry>> {
    return scanLog(this.#path, this.#parse, position, this.#latest);
  }

  /**
   * Keeps only the entries for which `keep` holds; it is asked in order, also for those that arrive meanwhile. The caller
   * holds the lock of the path, and only for this: an append that meets a replacement waits for its end.
   */
  replace(keep: (entry: Entry) => boolean): Promise<void> {
    return replaceLog(this.#path, this.#parse, keep);
  }

  async #append(lines: readonly { readonly entryId: string; readonly text: string }[]): Promise<void> {
    let missing = lines;
    while (missing.length > 0) {
      const text = missing.map((line) => line.text).join("");
      this.#latest = await appendText(this.#path, text, this.#latest);
      if (this.#latest !== undefined) return;
      // It went into a file that was being replaced. What the replacement copied in time is not written twice.
      await waitForReplacement(this.#path);
      const found = new Set((await this.read()).map((entry) => entry.entryId));
      missing = missing.filter((line) => !found.has(line.entryId));
    }
  }
}
