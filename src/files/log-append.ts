import fs, { type BigIntStats, closeSync, fstatSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import { MemoryError } from "../errors.js";
import { stampOf } from "./file-stamp.js";
import { inFolderOf } from "./folder.js";
import { nextOf } from "./sibling.js";
import { takeTurn } from "./take-turns.js";

const lineBreak = 0x0a;

/** Where an append stands. */
export interface Appended {
  readonly bytes: Buffer;
  /** The file just before and after: where another process wrote at the same moment, more than `bytes` is between them. */
  readonly before: BigIntStats;
  readonly after: BigIntStats;
}

/**
 * Appends by one write to a file opened for appending. Gives `undefined` where the text may not stand in the file that has
 * this path, since that was, or may have been, just being replaced. All is synchronous, some 3 to 15 µs each, where the thread
 * pool takes 35 and more: a turn waits for this.
 *
 * @param latest The last append of this process: a file that is as that left it ends with a whole line.
 */
export async function appendText(
  path: string,
  text: string,
  latest: Appended | undefined,
): Promise<Appended | undefined> {
  await takeTurn();
  return inFolderOf(path, async () => appendNow(path, text, latest));
}

function appendNow(path: string, text: string, latest: Appended | undefined): Appended | undefined {
  const file = fs.openSync(path, "a+", 0o600);
  try {
    const before = fstatSync(file, { bigint: true });
    const isAsLeft = latest !== undefined && stampOf(latest.after) === stampOf(before);
    const bytes = Buffer.from(!isAsLeft && endsTorn(file, before) ? `\n${text}` : text);
    const bytesWritten = fs.writeSync(file, bytes);
    if (bytesWritten !== bytes.length) {
      throw new MemoryError(
        "ERR_WRITE_INCOMPLETE",
        `${basename(path)}: the disk took only a part of an append`,
      );
    }
    const after = stateInPlace(path, before);
    return after && { bytes, before, after };
  } finally {
    closeSync(file);
  }
}

/** A killed process may have left half a line; the next append ends it, so that it spoils nothing but itself. */
function endsTorn(file: number, { size }: BigIntStats): boolean {
  const last = Buffer.alloc(1);
  return size > 0n && readSync(file, last, 0, 1, size - 1n) === 1 && last[0] !== lineBreak;
}

/**
 * The state of the file where it is still the one of this path. A replacement makes `.next`, then copies what was appended
 * late, then renames. So where there is no `.next` after our write, either our text was there to be copied, or the renaming
 * is over and the file of this path is another than ours. Only in this order: a look at the file first could be before the
 * renaming, and one at `.next` after it.
 */
function stateInPlace(path: string, own: BigIntStats): BigIntStats | undefined {
  if (statSync(nextOf(path), { throwIfNoEntry: false }) !== undefined) return undefined;
  const current = statSync(path, { throwIfNoEntry: false, bigint: true });
  return current?.ino === own.ino && current.dev === own.dev ? current : undefined;
}
