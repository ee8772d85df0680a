import fs, { type BigIntStats, closeSync, fstatSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import { MemoryError } from "../errors.js";
import { inFolderOf } from "./folder.js";
import { nextOf } from "./sibling.js";

const lineBreak = 0x0a;

/**
 * Appends by one write to a file opened for appending, and says whether the text stands in the file that has this path:
 * `false` where that was, or may have been, just being replaced.
 *
 * Only opening goes by way of the thread pool, so that a file system that does not answer blocks nothing else. All that
 * follows is synchronous: some 3 to 10 µs each on what was just opened, and 35 µs that way; a turn waits for this.
 */
export async function appendText(path: string, text: string): Promise<boolean> {
  const file = await inFolderOf(path, () => open(path));
  try {
    const stats = fstatSync(file, { bigint: true });
    const bytes = Buffer.from(endsTorn(file, stats) ? `\n${text}` : text);
    const bytesWritten = fs.writeSync(file, bytes);
    if (bytesWritten !== bytes.length) {
      throw new MemoryError(
        "ERR_WRITE_INCOMPLETE",
        `${basename(path)}: the disk took only a part of an append`,
      );
    }
    return isInPlace(path, stats);
  } finally {
    closeSync(file);
  }
}

function open(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.open(path, "a+", 0o600, (error, file) => (error === null ? resolve(file) : reject(error)));
  });
}

/** A killed process may have left half a line; the next append ends it, so that it spoils nothing but itself. */
function endsTorn(file: number, { size }: BigIntStats): boolean {
  const last = Buffer.alloc(1);
  return size > 0n && readSync(file, last, 0, 1, size - 1n) === 1 && last[0] !== lineBreak;
}

/**
 * A replacement makes `.next`, then copies what was appended late, then renames. So where there is no `.next` after our
 * write, either our text was there to be copied, or the renaming is over and the file of this path is another than ours.
 * Only in this order: a look at the file first could be before the renaming, and one at `.next` after it.
 */
function isInPlace(path: string, own: BigIntStats): boolean {
  if (statSync(nextOf(path), { throwIfNoEntry: false }) !== undefined) return false;
  const current = statSync(path, { throwIfNoEntry: false, bigint: true });
  return current !== undefined && current.ino === own.ino && current.dev === own.dev;
}
