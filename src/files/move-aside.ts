import fs from "node:fs/promises";
import { errorCode } from "./error-code.js";
import { removeFile } from "./remove-file.js";
import { renameInto } from "./rename-into.js";

/**
 * Renames a file that can't be used to `<name>.corrupt-20261201T134000123Z` and gives the new path. An earlier one is never
 * overwritten. The caller holds the lock of `path`; `now` is epoch milliseconds. Rejects where there is no file.
 */
export async function moveAside(path: string, now: number): Promise<string> {
  const stamp = new Date(now).toISOString().replace(/[-:.]/g, "");
  const aside = await reserve(`${path}.corrupt-${stamp}`);
  try {
    await renameInto(path, aside);
  } catch (error) {
    await removeFile(aside);
    throw error;
  }
  return aside;
}

/** An empty file takes the name first: opening exclusively is atomic everywhere, also where there are no hard links. */
async function reserve(wanted: string): Promise<string> {
  for (let count = 0; ; count++) {
    const path = count === 0 ? wanted : `${wanted}-${count}`;
    try {
      await (await fs.open(path, "wx", 0o600)).close();
      return path;
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}
