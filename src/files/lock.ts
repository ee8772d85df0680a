import { basename, resolve } from "node:path";
import { MemoryError } from "../errors.js";
import { acquireLockFolder, type FileLock } from "./lock-folder.js";
import { waitAbout } from "./wait.js";

export { assertStillOurs, type FileLock } from "./lock-folder.js";

/** Longest wait for other processes, in milliseconds. */
const patience = 20_000;

/** What of this process is in line for a path; empty when idle. */
const lines = new Map<string, { last: Promise<void>; length: number }>();

/**
 * Runs `work` while nobody else, in this process or another, holds the lock of `path`, and gives its result. The file need
 * not exist; its folder is made (0700). Rejects with `ERR_LOCKED` when another process keeps the lock for 20 s, and with
 * the file system's error where no lock can be made (read-only, full). A killed process' lock runs out within seconds.
 *
 * Not re-entrant: asking for the same path within `work` waits for itself.
 */
export function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const key = resolve(path);
  const line = lines.get(key) ?? { last: Promise.resolve(), length: 0 };
  lines.set(key, line);
  line.length++;
  const result = line.last
    .then(() => lockedWork(key, work))
    .finally(() => {
      line.length--;
      if (line.length === 0) lines.delete(key);
    });
  line.last = result.then(nothing, nothing);
  return result;
}

/**
 * The lock of {@link withLock} without waiting: `undefined` where anybody holds it, this process too. It is kept fresh for
 * as long as the process lives and its event loop is not blocked for 5 s. `release` never rejects and may be called twice.
 */
export async function tryLock(path: string): Promise<FileLock | undefined> {
  const key = resolve(path);
  return lines.has(key) ? undefined : acquireLockFolder(key);
}

async function lockedWork<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = await waitForLock(path);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function waitForLock(path: string): Promise<FileLock> {
  const deadline = performance.now() + patience;
  for (let wait = 2; ; wait = Math.min(wait * 1.5, 40)) {
    const lock = await acquireLockFolder(path);
    if (lock !== undefined) return lock;
    if (performance.now() > deadline) {
      throw new MemoryError("ERR_LOCKED", `${basename(path)} is locked by another process`);
    }
    await waitAbout(wait);
  }
}

function nothing(): void {
  // A failed work is its caller's; the next in line goes on.
}
