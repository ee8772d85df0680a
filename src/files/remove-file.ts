import fs from "node:fs/promises";
import { isMissing } from "./error-code.js";

/** Removes a file and says whether there was one. */
export async function removeFile(path: string): Promise<boolean> {
  try {
    await fs.unlink(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
