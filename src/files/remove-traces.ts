import fs from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { behindLink } from "./behind-link.js";
import { isMissing } from "./error-code.js";
import { isTemporaryOf } from "./leftovers.js";
import { removeFile } from "./remove-file.js";

/**
 * Removes a file and what may hold earlier states of it: what was moved aside, and what killed writers left. Where it is a
 * link, all this goes where it points to, and the link stays for what is written next. The caller holds the lock of
 * `path`, so that no writer is at work.
 */
export async function removeWithTraces(path: string): Promise<void> {
  const target = await behindLink(path);
  if (target !== path) await removeTraces(path);
  await removeTraces(target);
  await removeFile(target);
}

async function removeTraces(path: string): Promise<void> {
  const folder = dirname(path);
  const names = await namesIn(folder);
  const own = basename(path);
  for (const name of names) {
    const isTrace = name.startsWith(`${own}.corrupt-`) || isTemporaryOf(name, own);
    if (isTrace) await removeFile(join(folder, name));
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
