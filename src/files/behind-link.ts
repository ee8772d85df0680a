import fs from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * What a path stands for: a file may be a link to one that is kept elsewhere, as settings folders do it, and stays one.
 * The file itself need not be there.
 */
export async function behindLink(path: string): Promise<string> {
  try {
    return await fs.realpath(path);
  } catch {
    // Nothing is there, or a link to what is not there yet, or not any more.
    return fs.readlink(path).then(
      (target) => resolve(dirname(path), target),
      () => path,
    );
  }
}
