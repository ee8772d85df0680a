import type { MemoryItem } from "../memory/memory-item.js";
import { checkSelection } from "./check-selection.js";
import { chooseAnew, chooseNewest, fitting, worthsOf } from "./choose.js";
import { indexOf, type MemoryIndex } from "./memory-index.js";
import { rankByWords } from "./rank.js";
import type { SelectableMemory } from "./selectable.js";

/** What a selection of one's own is asked. */
export interface SelectionRequest {
  /** The user's words now. */
  readonly query: string;
  /** UTF-8 bytes that the chosen lines may take, each `- `, the content and a line break. */
  readonly budgetBytes: number;
}

/**
 * Chooses from memories, oldest first, that do not all fit the budget. What it gives is what is kept, in its order, as far
 * as the budget goes; it is shown oldest first.
 */
export type SelectMemories<Memory extends SelectableMemory = MemoryItem> = (
  memories: readonly Memory[],
  request: SelectionRequest,
) => readonly Memory[] | Promise<readonly Memory[]>;

export type NamedSelection = "newest" | "relevant";

export interface SelectOptions<Selection> extends SelectionRequest {
  /**
   * `"newest"` keeps the newest, `"relevant"` those that matter most for the query, with a share for the newest; or a
   * function of one's own.
   */
  readonly selection: Selection;
}

/**
 * Which memories a prompt would hold, oldest first: all where they fit the budget, otherwise those that the selection
 * chooses. Pure: no model, no disk; the same memories and query give the same choice. The index of the words lives as long
 * as the array.
 *
 * @param memories In any order; anything with `content` and `createdAt`. Pinned ones come first.
 * @example
 * selectMemories(await workspace.memories.list(), { query, budgetBytes: 8192, selection: "relevant" });
 */
export function selectMemories<Memory extends SelectableMemory>(
  memories: readonly Memory[],
  options: SelectOptions<NamedSelection>,
): Memory[];
/** With a function that gives a promise, a promise. */
export function selectMemories<Memory extends SelectableMemory>(
  memories: readonly Memory[],
  options: SelectOptions<
    (memories: readonly Memory[], request: SelectionRequest) => Promise<readonly Memory[]>
  >,
): Promise<Memory[]>;
export function selectMemories<Memory extends SelectableMemory>(
  memories: readonly Memory[],
  options: SelectOptions<(memories: readonly Memory[], request: SelectionRequest) => readonly Memory[]>,
): Memory[];
export function selectMemories<Memory extends SelectableMemory>(
  memories: readonly Memory[],
  { query, budgetBytes, selection }: SelectOptions<unknown>,
): Memory[] | Promise<Memory[]> {
  checkSelection("selection", selection);
  const index = indexOf(memories);
  if (index.totalBytes <= budgetBytes) return [...index.memories];
  if (selection === "newest") return pick(index, chooseNewest(index, budgetBytes));
  if (selection === "relevant") {
    const worths = worthsOf(index, rankByWords(index.words, query));
    return pick(index, chooseAnew(index, worths, budgetBytes));
  }
  const chosen = (selection as SelectMemories<Memory>)(index.memories, { query, budgetBytes });
  const kept = (given: unknown) => pick(index, fitting(index, numbersOf(index, given), budgetBytes));
  return "then" in chosen ? chosen.then(kept) : kept(chosen);
}

/** Oldest first. */
export function pick<Memory extends SelectableMemory>(
  index: MemoryIndex<Memory>,
  numbers: readonly number[],
): Memory[] {
  return [...numbers].sort((left, right) => left - right).map((number) => index.memories[number] as Memory);
}

/** The pinned first. A function may give copies: they are known by their id. */
function numbersOf(index: MemoryIndex, given: unknown): number[] {
  if (!Array.isArray(given)) throw new TypeError("a selection must give an array of memories");
  const byItem = new Map<unknown, number>();
  for (const [number, memory] of index.memories.entries()) {
    const { id } = memory as { id?: unknown };
    if (id !== undefined) byItem.set(id, number);
    byItem.set(memory, number);
  }
  const pinned = index.memories.flatMap(({ pinned }, number) => (pinned === true ? [number] : []));
  const chosen = given.flatMap(
    (memory) => byItem.get(memory) ?? byItem.get((memory as { id?: unknown } | null)?.id) ?? [],
  );
  return [...pinned.reverse(), ...chosen];
}
