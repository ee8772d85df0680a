import fs from "node:fs/promises";
import { errorCode } from "./error-code.js";

/** A holder renews its lock every 1.5 s; one that has not for this long was killed. */
const staleAfter = 5_000;

/**
 * Removes the lock of a killed process and says whether the way may be free now. A guard lets one process at a time look
 * and remove: else of two that find the same stale lock, the slower removes the fresh one that the faster has just made.
 */
export async function clearStaleLock(folder: string): Promise<boolean> {
  const age = await ageOf(folder);
  if (age === undefined) return true;
  if (age <= staleAfter) return false;
  const guard = `${folder}.stale`;
  if (!(await takeGuard(guard))) return false;
  try {
    const ageNow = await ageOf(folder);
    if (ageNow !== undefined && ageNow > staleAfter) await removeFolder(folder);
  } finally {
    await removeFolder(guard);
  }
  return true;
}

async function takeGuard(guard: string): Promise<boolean> {
  try {
    await fs.mkdir(guard);
    return true;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    const age = await ageOf(guard);
    if (age !== undefined && age > staleAfter) await removeFolder(guard);
    return false;
  }
}

/** Milliseconds since the last renewal. A time well in the future counts the same: the clock was set back, nobody renews. */
async function ageOf(folder: string): Promise<number | undefined> {
  try {
    const { mtimeMs } = await fs.stat(folder);
    return Math.abs(Date.now() - mtimeMs);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function removeFolder(folder: string): Promise<void> {
  try {
    await fs.rmdir(folder);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
