import type { BigIntStats } from "node:fs";

// A file's time is as fine as its file system's clock: two changes within one tick look alike, so a file that has just been
// changed is read each time. FAT rounds to 2 s and others to one; where the time has a part below the millisecond, the
// clock is a kernel's, which ticks every 10 ms at the slowest.
const coarseTick = 3_000_000_000n;
const fineTick = 100_000_000n;

/** What tells one state of a file from another: its place on the disk, its size and its times. */
export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** Whether a further change would change the stamp: the last one is old enough. */
export function isSettled({ mtimeNs, ctimeNs }: BigIntStats): boolean {
  const changed = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  // The time of the last change of any kind, which nobody can set, unlike that of the content.
  const tick = ctimeNs % 1_000_000n === 0n ? coarseTick : fineTick;
  return BigInt(Date.now()) * 1_000_000n - changed > tick;
}
