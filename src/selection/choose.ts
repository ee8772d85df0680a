import type { MemoryIndex } from "./memory-index.js";

/** Of the budget, for what was learned last: it is what a new session goes on with. */
const newestShare = 0.03;

/** A short memory that is worth as much leaves room for another. */
const lengthPenalty = 0.2;

/** The numbers of the memories for a prompt, by what each is worth for the words of now. */
export function chooseAnew(index: MemoryIndex, worths: Float64Array, budgetBytes: number): number[] {
  return fitting(index, [...reserved(index, budgetBytes), ...byWorth(worths)], budgetBytes);
}

/** The newest within the budget; the first that does not fit ends it, so that nothing is missing in between. */
export function chooseNewest(index: MemoryIndex, budgetBytes: number): number[] {
  const pinned = pinnedOf(index, budgetBytes);
  return [...pinned, ...newestOf(index, budgetBytes - bytesOf(index, pinned))];
}

/** What is in whatever is asked: pinned memories, and a share of the newest. */
export function reserved(index: MemoryIndex, budgetBytes: number): number[] {
  const pinned = pinnedOf(index, budgetBytes);
  const left = budgetBytes - bytesOf(index, pinned);
  return [...pinned, ...newestOf(index, Math.min(left, budgetBytes * newestShare))];
}

/** What each memory is worth for its length, by its number. */
export function worthsOf(index: MemoryIndex, values: Float64Array): Float64Array {
  return values.map((value, number) => value / (index.bytes[number] as number) ** lengthPenalty);
}

/** All numbers, the one of most worth first; of equals the newer. */
export function byWorth(worths: Float64Array): number[] {
  const numbers = Array.from(worths.keys());
  return numbers.sort((left, right) => (worths[right] as number) - (worths[left] as number) || right - left);
}

/** Takes one after the other, each once, passing over what does not fit any more. */
export function fitting(index: MemoryIndex, numbers: Iterable<number>, budgetBytes: number): number[] {
  const taken = new Set<number>();
  let left = budgetBytes;
  for (const number of numbers) {
    const bytes = index.bytes[number] as number;
    if (bytes > left || taken.has(number)) continue;
    taken.add(number);
    left -= bytes;
  }
  return [...taken];
}

export function bytesOf(index: MemoryIndex, numbers: Iterable<number>): number {
  let bytes = 0;
  for (const number of numbers) bytes += index.bytes[number] as number;
  return bytes;
}

function pinnedOf(index: MemoryIndex, budgetBytes: number): number[] {
  return fitting(
    index,
    newestFirst(index).filter((number) => isPinned(index, number)),
    budgetBytes,
  );
}

function newestOf(index: MemoryIndex, budgetBytes: number): number[] {
  const newest: number[] = [];
  let left = budgetBytes;
  for (const number of newestFirst(index)) {
    if (isPinned(index, number)) continue;
    left -= index.bytes[number] as number;
    if (left < 0) break;
    newest.push(number);
  }
  return newest;
}

function isPinned(index: MemoryIndex, number: number): boolean {
  return index.memories[number]?.pinned === true;
}

function newestFirst(index: MemoryIndex): number[] {
  return Array.from(index.memories.keys()).reverse();
}
