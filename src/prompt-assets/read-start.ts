import { isUtf8 } from "node:buffer";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** The first bytes of a text file. */
export interface FileStart {
  /** Without byte order mark; where the file goes on, without the character that the limit split. */
  readonly text: string;
  /** Size of the whole file in bytes. */
  readonly bytes: number;
  readonly goesOn: boolean;
}

/** A file that is there but can't be used; the message says why and holds nothing of its content. */
export class UnusableFile extends Error {}

// A symbolic link that took the place of a listed file is not followed. Windows has no such flag.
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

/**
 * Reads at most `maxBytes` bytes, and one more to know whether there are more. Open, read and close are all the calls
 * that a file costs: this runs for every file before every model call.
 */
export async function readStart(path: string, maxBytes: number): Promise<FileStart> {
  const handle = await open(path, openFlags);
  try {
    const buffer = Buffer.allocUnsafe(maxBytes + 1);
    const bytesRead = await fill(handle, buffer);
    const goesOn = bytesRead > maxBytes;
    return {
      text: decode(buffer.subarray(0, goesOn ? wholeCharacters(buffer, maxBytes) : bytesRead)),
      bytes: goesOn ? (await handle.stat()).size : bytesRead,
      goesOn,
    };
  } finally {
    await handle.close();
  }
}

/** Strictly UTF-8, since rows of replacement characters help nobody. */
export function decode(bytes: Uint8Array): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new UnusableFile("it is UTF-16; save it as UTF-8");
  }
  if (bytes.includes(0)) throw new UnusableFile("it holds NUL bytes and is no text file");
  if (!isUtf8(bytes)) throw new UnusableFile("it is not UTF-8");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** A network file system may give less at a time than was asked for. */
async function fill(handle: FileHandle, buffer: Buffer): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** How many of the first `end` bytes form whole UTF-8 characters, given that the byte behind them is there too. */
function wholeCharacters(bytes: Uint8Array, end: number): number {
  let start = end;
  // At most three continuation bytes follow a leading byte; with more the text is no UTF-8, and decoding says so.
  while (start > 0 && end - start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}
