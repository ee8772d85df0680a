import type { TermNumbers } from "./term-numbers.js";
import type { TermVisitor } from "./terms.js";

/** Lists one behind the other: list `n` goes from `starts[n]` to `starts[n + 1]`. */
export interface Lists {
  readonly starts: Int32Array;
  readonly entries: Int32Array;
  readonly weights: Float64Array;
}

/**
 * Collects the terms of memory after memory, each term once with how often it came. In typed arrays:
 * it takes a hundred thousand terms at once, while a user waits.
 */
export class TermCollector implements TermVisitor {
  readonly #numbers: TermNumbers;
  #entries: Int32Array;
  #weights: Float64Array;
  /** By term: one more than its place in the list of the memory that is being read, or in an earlier one. */
  #places: Int32Array;
  #start = 0;
  #size = 0;

  /** @param expected How many entries there may be; there may be more. */
  constructor(numbers: TermNumbers, expected: number) {
    this.#numbers = numbers;
    const capacity = Math.max(1, expected);
    this.#entries = new Int32Array(capacity);
    this.#weights = new Float64Array(capacity);
    this.#places = new Int32Array(capacity);
  }

  /** The whole list of a memory, as it was collected before. */
  append(entries: Int32Array, weights: Float64Array): void {
    while (this.#size + entries.length > this.#entries.length) this.#grow();
    this.#entries.set(entries, this.#size);
    this.#weights.set(weights, this.#size);
    this.#size += entries.length;
  }

  /** Ends the list of one memory. */
  end(): void {
    this.#start = this.#size;
  }

  get size(): number {
    return this.#size;
  }

  lists(starts: Int32Array): Lists {
    const [entries, weights] = [this.#entries.slice(0, this.#size), this.#weights.slice(0, this.#size)];
    return { starts, entries, weights };
  }

  term(text: string, weight: number): void {
    this.#count(this.#numbers.add(text), weight);
  }

  character(unit: number, weight: number): void {
    this.#count(this.#numbers.addCharacter(unit), weight);
  }

  pair(first: number, second: number, weight: number): void {
    this.#count(this.#numbers.addPair(first, second), weight);
  }

  #grow(): void {
    this.#entries = doubled(this.#entries, Int32Array);
    this.#weights = doubled(this.#weights, Float64Array);
  }

  #count(term: number, weight: number): void {
    while (term >= this.#places.length) this.#places = doubled(this.#places, Int32Array);
    const place = (this.#places[term] as number) - 1;
    if (place >= this.#start) {
      this.#weights[place] = (this.#weights[place] as number) + weight;
      return;
    }
    if (this.#size === this.#entries.length) this.#grow();
    this.#entries[this.#size] = term;
    this.#weights[this.#size] = weight;
    this.#size++;
    this.#places[term] = this.#size;
  }
}

function doubled<Numbers extends Int32Array | Float64Array>(
  numbers: Numbers,
  Kind: new (length: number) => Numbers,
): Numbers {
  const larger = new Kind(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
