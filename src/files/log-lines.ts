const lineBreak = 0x0a;

export interface LogLine<Entry> {
  readonly entry: Entry;
  /** Byte position of the line, counted from the beginning of `bytes`. */
  readonly start: number;
  /** The entry's own text, without the line break. */
  readonly text: string;
}

export interface LogLines<Entry> {
  readonly lines: readonly LogLine<Entry>[];
  /** Bytes that are dealt with. What follows is the torn tail of a killed process, or a write that is still going on. */
  readonly end: number;
}

/** The usable entries among JSON lines. A line that is no entry is skipped; a last line needs no line break if it is whole. */
export function readLines<Entry>(
  bytes: Buffer,
  parse: (value: unknown) => Entry | undefined,
): LogLines<Entry> {
  const lines: LogLine<Entry>[] = [];
  let start = 0;
  while (start < bytes.length) {
    const found = bytes.indexOf(lineBreak, start);
    const line = readLine(bytes.toString("utf8", start, found === -1 ? bytes.length : found), parse);
    if (line !== undefined) lines.push({ ...line, start });
    if (found === -1) return { lines, end: line === undefined ? start : bytes.length };
    start = found + 1;
  }
  return { lines, end: bytes.length };
}

/**
 * An append that came right after another process was killed in the middle of its own stands in one line with the torn
 * piece. Within JSON text a brace followed by a quote never stands inside a string (the quote would be escaped), so
 * nothing that somebody said can pass for an entry here.
 */
function readLine<Entry>(
  text: string,
  parse: (value: unknown) => Entry | undefined,
): { entry: Entry; text: string } | undefined {
  for (let from = 0; from !== -1; from = text.indexOf('{"', from + 1)) {
    const rest = text.slice(from);
    const entry = parseEntry(rest, parse);
    if (entry !== undefined) return { entry, text: rest };
  }
  return undefined;
}

function parseEntry<Entry>(text: string, parse: (value: unknown) => Entry | undefined): Entry | undefined {
  if (!text.trimEnd().endsWith("}")) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Torn, or written by hand: not an entry.
    return undefined;
  }
  return parse(value);
}
