import fs from "node:fs";
import { basename, resolve } from "node:path";
import { MemoryError } from "../errors.js";
import { errorCode } from "./error-code.js";
import { inFolderOf } from "./folder.js";
import { sibling } from "./sibling.js";
import { clearStaleLock } from "./stale-lock.js";

export interface FileLock {
  /** Never rejects; a second call does nothing. */
  release(): Promise<void>;
}

const updateEvery = 1_500;

/**
 * The times that we gave each lock folder we hold. A folder with another time was taken over while this process was
 * suspended or blocked: proper-lockfile would notice only at its next update, and remove the other's lock on release.
 */
const timesGiven = new Map<string, Set<number>>();

/** What proper-lockfile works with; tests make it fail. */
export const lockFileSystem = {
  mkdir: fs.mkdir,
  rmdir: fs.rmdir,
  stat: fs.stat,
  utimes(path: string, accessed: Date, modified: Date, callback: (error: Error | null) => void): void {
    timesGiven.get(path)?.add(modified.getTime());
    fs.utimes(path, accessed, modified, callback);
  },
};

/** One attempt at the lock between processes: a folder beside the file. `undefined` where it is held. */
export async function acquireLockFolder(path: string): Promise<FileLock | undefined> {
  const folder = sibling(path, "lock");
  try {
    return await inFolderOf(folder, () => make(path, folder));
  } catch (error) {
    if (errorCode(error) !== "ELOCKED") throw error;
    return (await clearStaleLock(folder)) ? acquireLockFolder(path) : undefined;
  }
}

async function make(path: string, folder: string): Promise<FileLock> {
  // With the first lock and not with the package, which is to load hardly slower than LangChain's core.
  const { default: lockfile } = await import("proper-lockfile");
  const releaseFolder = await lockfile.lock(path, {
    lockfilePath: folder,
    realpath: false,
    // Never stale for proper-lockfile, which lets two waiters take over one stale lock at once; see clearStaleLock.
    stale: Number.POSITIVE_INFINITY,
    update: updateEvery,
    fs: lockFileSystem,
    // Its default throws where nobody can catch. What a lost lock endangers is checked before each rename.
    onCompromised: () => {},
  });
  try {
    const { mtime } = await fs.promises.stat(folder);
    timesGiven.set(folder, new Set([mtime.getTime()]));
  } catch (error) {
    // Left as it is, it would be kept fresh, and everybody kept out, for as long as this process lives.
    await releaseFolder().catch(() => {});
    throw error;
  }
  let released = false;
  return {
    async release() {
      if (released) return;
      released = true;
      await giveBack(folder, releaseFolder);
    },
  };
}

async function giveBack(folder: string, releaseFolder: () => Promise<void>): Promise<void> {
  // Where it can't be told whose it is, it is released: kept, it would be kept fresh for as long as this process lives.
  const ours = await isOurs(folder).catch(() => true);
  timesGiven.delete(folder);
  try {
    if (ours) await releaseFolder();
  } catch {
    // Taken over, or its folder is gone: there is nothing left to give back.
  }
}

/** Rejects with `ERR_LOCKED` where this process held the lock of `path` and has lost it, so that nothing newer is overwritten. */
export async function assertStillOurs(path: string): Promise<void> {
  const absolute = resolve(path);
  const folder = sibling(absolute, "lock");
  if (timesGiven.has(folder) && !(await isOurs(folder))) {
    throw new MemoryError("ERR_LOCKED", `the lock of ${basename(absolute)} was lost to another process`);
  }
}

async function isOurs(folder: string): Promise<boolean> {
  try {
    const { mtime } = await fs.promises.stat(folder);
    return timesGiven.get(folder)?.has(mtime.getTime()) ?? false;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}
