import fs from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isMissing } from "./error-code.js";

/** A write takes milliseconds: what is older was left by a killed process. */
const abandonedAfter = 10_000;
/** Above this many files a folder is not listed at every save: with 10,000 sessions that alone costs milliseconds. */
const largeFolder = 500;
const largeFolderPause = 60_000;

const pausedUntil = new Map<string, number>();

/**
 * Removes the temporary files that killed processes left of `path`, and of any file that is written as this one is. Never
 * rejects: it is tidying up beside a save. Ages are compared with the real clock, as the file system's times are.
 */
export async function sweepLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  if ((pausedUntil.get(folder) ?? 0) > performance.now()) return;
  try {
    const names = await fs.readdir(folder);
    if (names.length > largeFolder) pausedUntil.set(folder, performance.now() + largeFolderPause);
    else pausedUntil.delete(folder);
    const own = basename(path);
    for (const name of names) if (isTemporary(name, own)) await removeIfAbandoned(join(folder, name));
  } catch {
    // A folder that can't be listed can still be written: the save itself will tell.
  }
}

function isTemporary(name: string, own: string): boolean {
  return /^\..+\.jsonl?\.(?:next(?:\.\d+)?|rewrite\.tmp)$/.test(name) || isTemporaryOf(name, own);
}

/** Whether a name is that of a temporary file of `own`, which is a name too. */
export function isTemporaryOf(name: string, own: string): boolean {
  const bare = name.startsWith(".") ? name.slice(1) : name;
  return bare.startsWith(`${own}.`) && /^(?:.+\.tmp|next(?:\..+)?)$/.test(bare.slice(own.length + 1));
}

async function removeIfAbandoned(path: string): Promise<void> {
  try {
    const stats = await fs.lstat(path);
    if (stats.isFile() && Date.now() - stats.mtimeMs > abandonedAfter) await fs.unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
