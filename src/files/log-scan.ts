import syncFs, { type BigIntStats, closeSync, fstatSync, readSync, statSync } from "node:fs";
import fs, { type FileHandle } from "node:fs/promises";
import { isMissing } from "./error-code.js";
import { stampOf } from "./file-stamp.js";
import type { Appended } from "./log-append.js";
import { readLines } from "./log-lines.js";

/** How far a log was read. Opaque: take it from one scan to the next. */
export interface LogPosition {
  readonly file: string;
  readonly offset: number;
  /** Of the file before it was last read: with the same one, and no byte behind `offset`, it holds nothing new. */
  readonly stamp: string;
  /** The bytes before `offset`: a replaced file may get the number of an earlier one, but not the same last line there. */
  readonly before: Buffer;
  /** Where in the file each entry first stood. Shared by all positions of one file, so a scan costs only what is new. */
  readonly firstAt: Map<string, number>;
}

export interface LogScan<Entry> {
  /** In order, each `entryId` once. */
  readonly entries: Entry[];
  readonly position: LogPosition;
  /** The log was replaced, or is gone, since the position: the entries are all that there are now. */
  readonly restarted: boolean;
}

const remembered = 128;

/** So much is read in place: some 20 µs, where the thread pool takes 150, and every turn waits for it. */
const nearEnough = 64 * 1024;

/** @param latest The last append of this process: what it has just written itself needs no reading. */
export async function scanLog<Entry extends { readonly entryId: string }>(
  path: string,
  parse: (value: unknown) => Entry | undefined,
  position: LogPosition | undefined,
  latest: Appended | undefined,
): Promise<LogScan<Entry>> {
  const begun = position !== undefined && position.offset > 0;
  if (begun) {
    const stats = lookAt(path);
    const isUnchanged = stats !== undefined && Number(stats.size) === position.offset;
    if (isUnchanged && stampOf(stats) === position.stamp) return { entries: [], position, restarted: false };
    const near = (stats && latest && writtenSince(position, latest, stats)) ?? bytesNear(path, position);
    if (near !== undefined) return { ...takeNew(near, parse, position), restarted: false };
  }
  const file = await openOrMissing(path);
  if (file === undefined) return { entries: [], position: beginning(""), restarted: begun };
  try {
    const stats = fstatSync(file.fd, { bigint: true });
    if (begun) {
      const bytes = await bytesSince(file, stats, position);
      if (bytes !== undefined) {
        return { ...takeNew({ bytes, stats }, parse, position), restarted: false };
      }
    }
    const bytes = await readFrom(file, 0, Number(stats.size));
    return { ...takeNew({ bytes, stats }, parse, beginning(nameOf(stats))), restarted: begun };
  } finally {
    await file.close();
  }
}

/** What was read, and the state of the file before it was. */
interface ReadBytes {
  readonly bytes: Buffer;
  readonly stats: BigIntStats;
}

function takeNew<Entry extends { readonly entryId: string }>(
  { bytes, stats }: ReadBytes,
  parse: (value: unknown) => Entry | undefined,
  { file, offset, before, firstAt }: LogPosition,
): { entries: Entry[]; position: LogPosition } {
  const { lines, end } = readLines(bytes, parse);
  const entries: Entry[] = [];
  for (const { entry, start } of lines) {
    const place = offset + start;
    const known = firstAt.get(entry.entryId);
    if (known !== undefined && known < place) continue;
    firstAt.set(entry.entryId, place);
    entries.push(entry);
  }
  const tail = Buffer.concat([before, bytes.subarray(Math.max(0, end - remembered), end)]).subarray(
    -remembered,
  );
  return { entries, position: { file, offset: offset + end, stamp: stampOf(stats), before: tail, firstAt } };
}

/** Some 5 µs, where opening takes 20. What can't be looked at has no state here: the asynchronous way says why. */
function lookAt(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What this process appended, where that alone is new. */
function writtenSince(
  { offset, stamp }: LogPosition,
  { bytes, before, after }: Appended,
  stats: BigIntStats,
): ReadBytes | undefined {
  const isNext = stampOf(before) === stamp && Number(before.size) === offset;
  const isAlone = Number(after.size) === offset + bytes.length && stampOf(after) === stampOf(stats);
  return isNext && isAlone ? { bytes, stats } : undefined;
}

/** What is new where that is little; `undefined` where it is more, or the file is not the one of the position any more. */
function bytesNear(path: string, { file: name, offset, before }: LogPosition): ReadBytes | undefined {
  let file: number;
  try {
    file = syncFs.openSync(path, "r");
  } catch {
    return undefined; // Whatever it is, the asynchronous way says it.
  }
  try {
    const stats = fstatSync(file, { bigint: true });
    const length = Number(stats.size) - offset;
    if (nameOf(stats) !== name || length < 0 || length > nearEnough) return undefined;
    const bytes = Buffer.alloc(before.length + length);
    const read = readSync(file, bytes, 0, bytes.length, offset - before.length);
    return read === bytes.length && bytes.subarray(0, before.length).equals(before)
      ? { bytes: bytes.subarray(before.length), stats }
      : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** `undefined` where the file is not the one of the position any more. */
async function bytesSince(
  file: FileHandle,
  stats: BigIntStats,
  { file: name, offset, before }: LogPosition,
): Promise<Buffer | undefined> {
  if (nameOf(stats) !== name || Number(stats.size) < offset) return undefined;
  const bytes = await readFrom(file, offset - before.length, Number(stats.size));
  return bytes.subarray(0, before.length).equals(before) ? bytes.subarray(before.length) : undefined;
}

/** What a file holds from `start` to `end`, or less where it has been cut meanwhile. */
export async function readFrom(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(end - start);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, start + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

export async function openOrMissing(path: string): Promise<FileHandle | undefined> {
  try {
    return await fs.open(path, "r");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function beginning(file: string): LogPosition {
  return { file, offset: 0, stamp: "", before: Buffer.alloc(0), firstAt: new Map() };
}

function nameOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
