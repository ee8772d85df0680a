import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { safeName } from "../files/index.js";

/** So many are read at a time: ten thousand sessions must not use up the file handles of the process. */
const filesAtATime = 64;

/** The file of a session in `chats/`; `ending` is `.json` or `.jsonl`. */
export function sessionFile(directory: string, sessionId: string, ending: string): string {
  return join(directory, safeName(sessionId) + ending);
}

/**
 * What `read` gives of each file with this ending, by file name. Left out is what gives nothing, and what is not of the
 * session that the file is called after: a copy made by hand is not another session's.
 */
export async function readSessionFiles<Value>(
  directory: string,
  ending: string,
  read: (path: string) => Promise<Value | undefined>,
  sessionOf: (value: Value) => string,
): Promise<Value[]> {
  const names = await fileNames(directory, ending);
  const found: Value[] = [];
  for (let from = 0; from < names.length; from += filesAtATime) {
    const batch = names.slice(from, from + filesAtATime);
    const values = await Promise.all(batch.map((name) => read(join(directory, name))));
    for (const [index, value] of values.entries()) {
      if (value !== undefined && batch[index] === safeName(sessionOf(value)) + ending) found.push(value);
    }
  }
  return found;
}

/** The first of the values that `parse` makes of a file's lines; reads no further than there. */
export async function firstLine<Value>(
  path: string,
  parse: (line: string) => Value | undefined,
): Promise<Value | undefined> {
  let file: FileHandle;
  try {
    file = await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    for await (const line of file.readLines({ autoClose: false })) {
      const value = parse(line);
      if (value !== undefined) return value;
    }
    return undefined;
  } finally {
    await file.close();
  }
}

async function fileNames(directory: string, ending: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending) && !entry.name.startsWith("."))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
