import fs, { type FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { MemoryError } from "../errors.js";
import { assertStillOurs } from "./lock.js";
import { readLines } from "./log-lines.js";
import { openOrMissing, readFrom } from "./log-scan.js";
import { removeFile } from "./remove-file.js";
import { renameInto } from "./rename-into.js";
import { nextOf, sibling } from "./sibling.js";

/**
 * Rewrites a log while others append to it. The bulk is written and flushed under a name that means nothing to them; then
 * it becomes `.next`, which tells them that the file they write to may be on its way out; what came meanwhile is copied;
 * the rename ends it. So an append can be in the way for a fraction of a millisecond, not for the flush.
 */
export async function replaceLog<Entry extends { readonly entryId: string }>(
  path: string,
  parse: (value: unknown) => Entry | undefined,
  keep: (entry: Entry) => boolean,
): Promise<void> {
  const bulk = sibling(path, "rewrite.tmp");
  const next = nextOf(path);
  await removeFile(next);
  const old = await openOrMissing(path);
  if (old === undefined) return;
  try {
    const kept = new KeptLines(old, parse, keep);
    await writeNew(bulk, "w", await kept.more(), { flush: true });
    await renameInto(bulk, next);
    await copyLate(kept, next);
    await assertStillOurs(path);
    await renameInto(next, path);
  } catch (error) {
    await discard(bulk);
    await discard(next);
    throw error;
  } finally {
    await old.close();
  }
}

/** Reads what is new in the old file and gives the lines of it that stay. */
class KeptLines<Entry extends { readonly entryId: string }> {
  readonly #file: FileHandle;
  readonly #parse: (value: unknown) => Entry | undefined;
  readonly #keep: (entry: Entry) => boolean;
  readonly #asked = new Set<string>();
  #offset = 0;

  constructor(
    file: FileHandle,
    parse: (value: unknown) => Entry | undefined,
    keep: (entry: Entry) => boolean,
  ) {
    this.#file = file;
    this.#parse = parse;
    this.#keep = keep;
  }

  async more(): Promise<Buffer> {
    const { size } = await this.#file.stat();
    const { lines, end } = readLines(await readFrom(this.#file, this.#offset, size), this.#parse);
    this.#offset += end;
    return Buffer.from(
      lines
        .filter(({ entry }) => this.#stays(entry))
        .map(({ text }) => `${text}\n`)
        .join(""),
    );
  }

  #stays(entry: Entry): boolean {
    if (this.#asked.has(entry.entryId)) return false;
    this.#asked.add(entry.entryId);
    return this.#keep(entry);
  }
}

/** One more look is enough: who appends after it sees `.next`, or another file in its place, and appends again. */
async function copyLate(kept: { more(): Promise<Buffer> }, next: string): Promise<void> {
  const late = await kept.more();
  if (late.length > 0) await writeNew(next, "a", late, { flush: false });
}

async function writeNew(
  path: string,
  flags: "w" | "a",
  bytes: Buffer,
  { flush }: { flush: boolean },
): Promise<void> {
  const file = await fs.open(path, flags, 0o600);
  try {
    let written = 0;
    while (written < bytes.length) {
      const { bytesWritten } = await file.write(bytes, written);
      if (bytesWritten === 0) {
        throw new MemoryError("ERR_WRITE_INCOMPLETE", `${basename(path)}: the disk took only a part`);
      }
      written += bytesWritten;
    }
    if (flush) await file.sync();
  } finally {
    await file.close();
  }
}

async function discard(temporary: string): Promise<void> {
  try {
    await removeFile(temporary);
  } catch {
    // The fault that is being reported counts; the next replacement, or an append that meets it, removes it.
  }
}
