import { bytesOf, byWorth, chooseAnew, fitting, reserved } from "./choose.js";
import type { MemoryIndex } from "./memory-index.js";
import type { SelectableMemory } from "./selectable.js";

/** What a session has in its prompt, by the memories' ids: the most that each was worth lately. */
export type SessionChoice = ReadonlyMap<string, number>;

export interface IdentifiedMemory extends SelectableMemory {
  readonly id: string;
}

/** What was worth something once loses a fifth of its standing with each turn. */
const decay = 0.8;

/** A memory comes in that is worth at least so much of the best, and the best take so much of the budget. */
const leastWorth = 0.06;
const mostBytes = 0.8;

/** Room that deletions left is used only once it is worth a change of the prompt. */
const leastRoom = 0.05;

export interface Turn {
  /** What each memory is worth for the words of now, by its number. */
  readonly worths: Float64Array;
  /** Whether the words ask for something. */
  readonly asks: boolean;
  readonly budgetBytes: number;
}

/**
 * A session's next choice. Each change of the prompt costs the provider's cache, so what is in stays in until something
 * that is asked for needs its room; then those of least standing go. Pure.
 *
 * @param former `undefined` at the session's first turn, which chooses freely.
 */
export function nextChoice(
  index: MemoryIndex<IdentifiedMemory>,
  former: SessionChoice | undefined,
  turn: Turn,
): SessionChoice {
  const { worths, asks, budgetBytes } = turn;
  const worthOf = (number: number) => worths[number] as number;
  const numbers = former && numbersOf(index, former);
  if (former === undefined || numbers === undefined || numbers.length === 0) {
    return choiceOf(index, chooseAnew(index, worths, budgetBytes), worthOf);
  }
  const standing = (number: number) =>
    Math.max((former.get(index.memories[number]?.id ?? "") ?? 0) * decay, worthOf(number));
  const byStanding = [...numbers].sort((left, right) => standing(right) - standing(left) || right - left);
  const wanted = [...reserved(index, budgetBytes), ...(asks ? answering(index, turn) : [])];
  const chosen = fitting(index, [...wanted, ...byStanding], budgetBytes);
  const room = budgetBytes - bytesOf(index, chosen);
  const isWorthFilling = room > budgetBytes * leastRoom;
  return choiceOf(
    index,
    isWorthFilling ? fitting(index, [...chosen, ...byWorth(worths)], budgetBytes) : chosen,
    standing,
  );
}

/** The memories that answer what is asked, the best first. */
function answering(index: MemoryIndex, { worths, budgetBytes }: Turn): number[] {
  const numbers = byWorth(worths);
  const best = worths[numbers[0] ?? 0] ?? 0;
  const found: number[] = [];
  let bytes = 0;
  for (const number of numbers) {
    const worth = worths[number] as number;
    bytes += index.bytes[number] as number;
    if (worth <= 0 || worth < best * leastWorth || bytes > budgetBytes * mostBytes) break;
    found.push(number);
  }
  return found;
}

/** Those that are still there. */
function numbersOf(index: MemoryIndex<IdentifiedMemory>, choice: SessionChoice): number[] {
  return index.memories.flatMap(({ id }, number) => (choice.has(id) ? [number] : []));
}

function choiceOf(
  index: MemoryIndex<IdentifiedMemory>,
  numbers: readonly number[],
  standing: (number: number) => number,
): SessionChoice {
  return new Map(numbers.map((number) => [index.memories[number]?.id ?? "", standing(number)]));
}
