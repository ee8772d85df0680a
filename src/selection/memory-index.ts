import { lineBytes, type SelectableMemory } from "./selectable.js";
import { WordIndex } from "./word-index.js";

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

  constructor(given: readonly Memory[]) {
    this.#given = [...given];
    this.#contents = given.map(({ content }) => content);
    this.memories = [...given].sort((left, right) => left.createdAt - right.createdAt);
    this.bytes = this.memories.map(lineBytes);
    this.totalBytes = this.bytes.reduce((sum, bytes) => sum + bytes, 0);
  }

  get words(): WordIndex {
    this.#words ??= new WordIndex(this.memories.map(({ content }) => content));
    return this.#words;
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

/** The index of a list, made once for as long as the list lives and stays as it is. */
export function indexOf<Memory extends SelectableMemory>(memories: readonly Memory[]): MemoryIndex<Memory> {
  const known = indexes.get(memories) as MemoryIndex<Memory> | undefined;
  if (known?.isOf(memories)) return known;
  const index = new MemoryIndex(memories);
  indexes.set(memories, index);
  return index;
}
