import fs from "node:fs/promises";
import { basename } from "node:path";
import { MemoryError } from "../errors.js";
import { behindLink } from "./behind-link.js";
import { makeFolderOf } from "./folder.js";
import { sweepLeftovers } from "./leftovers.js";
import { assertStillOurs } from "./lock.js";
import { removeFile } from "./remove-file.js";
import { renameInto } from "./rename-into.js";
import { nextOf } from "./sibling.js";

/**
 * Puts `text` in place of a file (0600, its folder 0700), flushed and whole or not at all: on any fault the old file is as it
 * was, no temporary is left, and the call rejects (`ERR_WRITE_INCOMPLETE` on a full disk that gave no error itself).
 *
 * The caller holds the lock of `path`. Only that keeps temporary names apart: two containers on one volume both have
 * process id 1 and would pick the same.
 */
export async function writeAtomic(path: string, text: string): Promise<void> {
  const target = await behindLink(path);
  const next = nextOf(target);
  await makeFolderOf(target);
  await sweepLeftovers(target);
  try {
    // With the first save and not with the package: as proper-lockfile does.
    const { default: writeFileAtomic } = await import("write-file-atomic");
    await writeFileAtomic(next, text, { mode: 0o600, fsync: true });
    // write-file-atomic ignores how much its one write wrote: with a full disk it hands over the first part as if whole.
    const { size } = await fs.stat(next);
    if (size !== Buffer.byteLength(text)) {
      throw new MemoryError(
        "ERR_WRITE_INCOMPLETE",
        `${basename(path)} was not saved: the disk took only a part of it`,
      );
    }
    await assertStillOurs(path);
    await renameInto(next, target);
  } catch (error) {
    await discard(next);
    throw error;
  }
}

async function discard(temporary: string): Promise<void> {
  try {
    await removeFile(temporary);
  } catch {
    // The fault that is being reported counts; what is left here is swept by a later save.
  }
}
