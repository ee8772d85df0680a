import fs from "node:fs/promises";
import { errorCode } from "./error-code.js";
import { waitAbout } from "./wait.js";

// On Windows an editor or a virus scanner that has the target open refuses a rename for a moment.
const passing = new Set(["EPERM", "EBUSY", "EACCES"]);
const waits = [10, 25, 60, 120, 200];

/** Renames, and tries again a few times (some 400 ms in all) where it is refused for a moment. */
export async function renameInto(from: string, to: string): Promise<void> {
  for (const wait of waits) {
    try {
      await fs.rename(from, to);
      return;
    } catch (error) {
      if (!passing.has(errorCode(error) ?? "")) throw error;
      await waitAbout(wait);
    }
  }
  await fs.rename(from, to);
}
