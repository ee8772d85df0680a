import type { BigIntStats } from "node:fs";

// File systems round a file's time (FAT to 2 s): two changes within that look alike, so a fresh file is read each time.
const settledAfter = 3_000_000_000n;

/** What tells one state of a file from another: its place on the disk, its size and its times. */
export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** Whether a further change would change the stamp: the last one is old enough. */
export function isSettled({ mtimeNs, ctimeNs }: BigIntStats): boolean {
  const changed = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  return BigInt(Date.now()) * 1_000_000n - changed > settledAfter;
}
