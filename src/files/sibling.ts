import { basename, dirname, join } from "node:path";

/** Where the next version of a file is made ready: always beside it, since a rename doesn't cross devices. */
export function nextOf(path: string): string {
  return sibling(path, "next");
}

/** A hidden file beside `path` that belongs to it. */
export function sibling(path: string, ending: string): string {
  return join(dirname(path), `.${basename(path)}.${ending}`);
}
