import fs from "node:fs/promises";
import { basename } from "node:path";
import { MemoryError } from "../errors.js";
import { isMissing } from "./error-code.js";
import { tryLock } from "./lock.js";
import { removeFile } from "./remove-file.js";
import { nextOf } from "./sibling.js";
import { waitAbout } from "./wait.js";

/** A replacement shows `.next` for well under a millisecond of its work; one that lasts this long may be a dead process'. */
const doubtfulAfter = 50;
const patience = 20_000;

/** Resolves when no replacement of the log is going on; what a killed one left is removed. Rejects with `ERR_LOCKED` after 20 s. */
export async function waitForReplacement(path: string): Promise<void> {
  const begun = performance.now();
  for (let wait = 1; await exists(nextOf(path)); wait = Math.min(wait * 2, 50)) {
    const waited = performance.now() - begun;
    if (waited > patience) {
      throw new MemoryError("ERR_LOCKED", `${basename(path)} is being replaced by another process`);
    }
    if (waited > doubtfulAfter) await removeIfNobodyReplaces(path);
    await waitAbout(wait);
  }
}

async function removeIfNobodyReplaces(path: string): Promise<void> {
  const lock = await tryLock(path);
  try {
    if (lock !== undefined) await removeFile(nextOf(path));
  } finally {
    await lock?.release();
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await fs.lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
