import { optionError, unknownOptionError } from "../errors.js";
import { chooseAnew, worthsOf } from "./choose.js";
import {
  checkEmbeddings,
  compactVector,
  type EmbeddingsLike,
  embedTexts,
  nameOf,
  type Vector,
} from "./embeddings.js";
import { indexOf, type MemoryIndex } from "./memory-index.js";
import { rankByWords } from "./rank.js";
import { rankByMeaning } from "./rank-by-meaning.js";
import { pick, type SelectionRequest } from "./select-memories.js";
import type { SelectableMemory } from "./selectable.js";
import { shortened } from "./words.js";

export interface RelevantToOptions {
  /**
   * Tells vectors of two models apart. Give it where the class and its `model` don't.
   *
   * @default the class of the embeddings and its `model`
   */
  readonly name?: string | undefined;
  /**
   * Milliseconds that a turn waits for the embeddings, from 1 to 60 000; beyond it the words alone choose.
   *
   * @default 2000
   */
  readonly timeoutMs?: number | undefined;
}

/** A selection by words and meaning together. Made by {@link relevantTo}. */
export interface SelectionByMeaning {
  <Memory extends SelectableMemory>(
    memories: readonly Memory[],
    request: SelectionRequest,
  ): Promise<readonly Memory[]>;
  readonly embeddings: EmbeddingsLike;
  readonly embeddingsName: string;
  readonly timeoutMs: number;
}

/**
 * Memories that matter for what the user says now, by its words and by its meaning. A workspace keeps the vectors beside
 * the memories and computes them when memories are stored; the query costs one call of the embeddings in each turn that
 * chooses anew. Where the embeddings fail or are late, the words alone choose.
 *
 * The memories and the user's words go to the provider of the embeddings.
 *
 * @param embeddings Any LangChain `Embeddings`.
 * @throws TypeError or RangeError (`code` `ERR_OPTION_…`) that names the option and what it takes.
 * @example
 * const workspace = new MemoryWorkspace({ model, limit: 325, selection: relevantTo(embeddings) });
 */
export function relevantTo(embeddings: EmbeddingsLike, options: RelevantToOptions = {}): SelectionByMeaning {
  checkEmbeddings(embeddings);
  const { name = nameOf(embeddings), timeoutMs = 2000 } = checkedOptions(options);
  const vectorsOf = new WeakMap<MemoryIndex, Promise<Vector[]>>();
  const vectors = (index: MemoryIndex) => {
    const known = vectorsOf.get(index) ?? embedTexts(embeddings, contentsOf(index));
    vectorsOf.set(index, known);
    known.catch(() => vectorsOf.delete(index));
    return known;
  };
  const select = async <Memory extends SelectableMemory>(
    memories: readonly Memory[],
    { query, budgetBytes }: SelectionRequest,
  ): Promise<readonly Memory[]> => {
    const index = indexOf(memories);
    const [known, asked] = await Promise.all([vectors(index), embeddings.embedQuery(shortened(query))]);
    const values = rankByMeaning(rankByWords(index.words, query), known, compactVector(asked));
    return pick(index, chooseAnew(index, worthsOf(index, values), budgetBytes));
  };
  return Object.assign(select, { embeddings, embeddingsName: name, timeoutMs });
}

export function isByMeaning(selection: unknown): selection is SelectionByMeaning {
  return typeof selection === "function" && "embeddings" in selection && "embeddingsName" in selection;
}

function contentsOf(index: MemoryIndex): string[] {
  return index.memories.map(({ content }) => content);
}

const optionNames = ["name", "timeoutMs"];

function checkedOptions(options: RelevantToOptions): RelevantToOptions {
  if (typeof options !== "object" || options === null) {
    throw optionError("ERR_OPTION_TYPE", "options", "an object", options);
  }
  const unknown = Object.keys(options).find((option) => !optionNames.includes(option));
  if (unknown !== undefined) throw unknownOptionError(unknown, optionNames);
  const { name, timeoutMs } = options;
  if (name !== undefined && typeof name !== "string") {
    throw optionError("ERR_OPTION_TYPE", "name", "a non-empty string", name);
  }
  if (name === "") throw optionError("ERR_OPTION_RANGE", "name", "a non-empty string", name);
  const expected = "an integer from 1 to 60000";
  if (timeoutMs !== undefined && typeof timeoutMs !== "number") {
    throw optionError("ERR_OPTION_TYPE", "timeoutMs", expected, timeoutMs);
  }
  if (timeoutMs !== undefined && !(Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= 60_000)) {
    throw optionError("ERR_OPTION_RANGE", "timeoutMs", expected, timeoutMs);
  }
  return options;
}
