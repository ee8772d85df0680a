import { lineBytes, type SelectableMemory } from "./selectable.js";
import { WordIndex } from "./word-index.js";

/** The words that were read last: a list that has changed is much the same list. One is kept, however many there are. */
let latest: WordIndex | undefined;

/** A list of memories made ready to be chosen from. A memory's number is its place in `memories`. */
export class MemoryIndex<Memory extends SelectableMemory = SelectableMemory> {
  /** Oldest first; those of one moment in their order. */
  readonly memories: readonly Memory[];
  /** Bytes of each one's line. */
  readonly bytes: readonly number[];
  readonly totalBytes: number;
  readonly #given: readonly Memory[];
  readonly #contents: readonly string[];
  #words: WordIndex | undefined;
  #former: WordIndex | undefined;

  /** @param former The words of much the same memories, if they are there. */
  constructor(given: readonly Memory[], former?: WordIndex) {
    this.#former = former;
    this.#given = [...given];
    this.#contents = given.map(({ content }) => content);
    this.memories = [...given].sort((left, right) => left.createdAt - right.createdAt);
    this.bytes = this.memories.map(lineBytes);
    this.totalBytes = this.bytes.reduce((sum, bytes) => sum + bytes, 0);
  }

  get words(): WordIndex {
    if (this.#words === undefined) {
      this.#words = new WordIndex(
        this.memories.map(({ content }) => content),
        this.#former,
      );
      this.#former = undefined;
      latest = this.#words;
    }
    return this.#words;
  }

  /** The words, where they were asked for. */
  get builtWords(): WordIndex | undefined {
    return this.#words ?? this.#former;
  }

  /** Whether it still is the index of this list, which somebody may have changed. */
  isOf(memories: readonly Memory[]): boolean {
    return (
      memories.length === this.#given.length &&
      memories.every((memory, at) => memory === this.#given[at] && memory.content === this.#contents[at])
    );
  }
}

const indexes = new WeakMap<readonly SelectableMemory[], MemoryIndex<SelectableMemory>>();

/**
 * The index of a list, made once for as long as the list lives and stays as it is.
 *
 * @param former The list as it was before. Default: the one that was asked for last.
 */
export function indexOf<Memory extends SelectableMemory>(
  memories: readonly Memory[],
  former?: readonly Memory[],
): MemoryIndex<Memory> {
  const known = indexes.get(memories) as MemoryIndex<Memory> | undefined;
  if (known?.isOf(memories)) return known;
  const before = known ?? (former && indexes.get(former));
  const index = new MemoryIndex(memories, before?.builtWords ?? latest);
  indexes.set(memories, index);
  return index;
}
