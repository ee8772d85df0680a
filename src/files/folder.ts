import fs from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "./error-code.js";

/** Runs what needs the folder of `path`; only where that is missing is it made (0700), so the usual case costs nothing. */
export async function inFolderOf<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    await makeFolderOf(path);
    return work();
  }
}

export async function makeFolderOf(path: string): Promise<void> {
  await fs.mkdir(dirname(path), { recursive: true, mode: 0o700 });
}
