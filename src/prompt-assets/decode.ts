import { isUtf8 } from "node:buffer";

/** A file that is there but can't be used; the message says why and holds nothing of its content. */
export class UnusableFile extends Error {}

/** Text without its byte order mark. Strictly UTF-8, since rows of replacement characters help nobody. */
export function decode(bytes: Buffer): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new UnusableFile("it is UTF-16; save it as UTF-8");
  }
  if (bytes.includes(0)) throw new UnusableFile("it holds NUL bytes and is no text file");
  if (!isUtf8(bytes)) throw new UnusableFile("it is not UTF-8");
  const text = bytes.toString("utf8");
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** How many of the first `end` bytes form whole UTF-8 characters, given that the byte behind them is there too. */
export function wholeCharacters(bytes: Buffer, end: number): number {
  let start = end;
  // At most three continuation bytes follow a leading byte; with more the text is no UTF-8, and decoding says so.
  while (start > 0 && end - start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}
