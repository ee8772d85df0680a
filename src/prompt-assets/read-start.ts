import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** The beginning of a file. */
export interface FileStart {
  /** The first bytes; where the file goes on, one byte more than the limit. */
  readonly content: Buffer;
  /** Size of the whole file. */
  readonly bytes: number;
}

// A symbolic link that took the place of a listed file is not followed. Windows has no such flag.
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

const firstRead = 16 * 1024;
const smallestBlock = 512;

/**
 * Reads at most `maxBytes` bytes, and one more to know whether there are more. A small file costs three calls (open, read,
 * close), which is what reading it whole with Node's `readFile` would cost and one less: this runs for every file before
 * every model call.
 */
export async function readStart(path: string, maxBytes: number): Promise<FileStart> {
  const handle = await open(path, openFlags);
  try {
    const limit = maxBytes + 1;
    let buffer = Buffer.allocUnsafe(Math.min(limit, firstRead));
    let filled = await fill(handle, buffer, 0);
    if (filled < buffer.length) return { content: buffer.subarray(0, filled), bytes: filled };

    const { size } = await handle.stat();
    if (filled < limit) {
      buffer = Buffer.concat([buffer], Math.max(filled, Math.min(limit, size)));
      filled = await fill(handle, buffer, filled);
    }
    return { content: buffer.subarray(0, filled), bytes: Math.max(size, filled) };
  } finally {
    await handle.close();
  }
}

/**
 * Less than was asked for means the end of the file, but on some network file systems also the end of a block. So a
 * second read, a fifth of the time that a file costs, is made only where a block may end.
 */
async function fill(handle: FileHandle, buffer: Buffer, from: number): Promise<number> {
  let filled = from;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
    filled += bytesRead;
    if (bytesRead === 0 || filled % smallestBlock !== 0) break;
  }
  return filled;
}
