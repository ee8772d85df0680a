import { relatedTo } from "./related-words.js";
import { termsOf } from "./terms.js";

/** Which memories hold which terms. Memories are numbered by age, the oldest first. */
export class WordIndex {
  readonly count: number;
  /** By memory: numbers of its terms, and how often it has each (weighted). */
  readonly #terms: Int32Array[] = [];
  readonly #frequencies: Float32Array[] = [];
  readonly #lengths: Float64Array;
  readonly #numbers = new Map<string, number>();
  /** By term: the memories that hold it, and what each is worth for it beside the term's rarity. */
  readonly #holders: Int32Array[] = [];
  readonly #worths: Float64Array[] = [];

  constructor(contents: readonly string[]) {
    this.count = contents.length;
    this.#lengths = new Float64Array(contents.length);
    const holders: number[][] = [];
    const counts: number[][] = [];
    for (const [memory, content] of contents.entries()) this.#add(memory, content, holders, counts);
    this.#weigh(holders, counts);
  }

  /** The numbers of the terms of a text with their weights; a term that no memory holds is left out. */
  query(text: string): Map<number, number> {
    const query = new Map<number, number>();
    const add = (term: string, weight: number) => {
      const number = this.#numbers.get(term);
      if (number !== undefined) query.set(number, Math.max(query.get(number) ?? 0, weight));
    };
    for (const { text: term, weight } of termsOf(text)) {
      add(term, weight);
      const related = relatedTo(term);
      for (const other of related.terms) add(other, related.weight);
    }
    return query;
  }

  /** BM25: what each memory is worth for the query. */
  scores(query: ReadonlyMap<number, number>): Float64Array {
    const scores = new Float64Array(this.count);
    for (const [term, weight] of query) {
      const holders = this.#holders[term] as Int32Array;
      const worths = this.#worths[term] as Float64Array;
      const rarity = weight * this.#rarity(holders.length);
      for (let index = 0; index < holders.length; index++) {
        const memory = holders[index] as number;
        scores[memory] = (scores[memory] as number) + rarity * (worths[index] as number);
      }
    }
    return scores;
  }

  /** What the terms of some memories stand for, the most telling first. @param shares How much each memory counts. */
  tellingTerms(shares: ReadonlyMap<number, number>): [term: number, weight: number][] {
    const found = new Map<number, number>();
    for (const [memory, share] of shares) {
      const terms = this.#terms[memory] as Int32Array;
      const frequencies = this.#frequencies[memory] as Float32Array;
      for (const [index, term] of terms.entries()) {
        const holders = (this.#holders[term] as Int32Array).length;
        const weight = share * ((frequencies[index] as number) / (this.#lengths[memory] as number));
        found.set(term, (found.get(term) ?? 0) + weight * Math.log(1 + this.count / holders));
      }
    }
    return [...found].sort((left, right) => right[1] - left[1] || left[0] - right[0]);
  }

  #add(memory: number, content: string, holders: number[][], counts: number[][]): void {
    const frequencies = new Map<number, number>();
    let length = 0;
    for (const { text, weight } of termsOf(content)) {
      let number = this.#numbers.get(text);
      if (number === undefined) {
        number = this.#numbers.size;
        this.#numbers.set(text, number);
        holders.push([]);
        counts.push([]);
      }
      frequencies.set(number, (frequencies.get(number) ?? 0) + weight);
      length += weight;
    }
    for (const [term, frequency] of frequencies) {
      holders[term]?.push(memory);
      counts[term]?.push(frequency);
    }
    this.#lengths[memory] = length;
    this.#terms.push(Int32Array.from(frequencies.keys()));
    this.#frequencies.push(Float32Array.from(frequencies.values()));
  }

  /** What does not depend on the query is worked out once. */
  #weigh(holders: readonly number[][], counts: readonly number[][]): void {
    const average = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, this.count) || 1;
    for (const [term, memories] of holders.entries()) {
      this.#holders.push(Int32Array.from(memories));
      this.#worths.push(
        Float64Array.from(counts[term] ?? [], (frequency, index) => {
          const length = this.#lengths[memories[index] as number] as number;
          const saturation = k1 * (1 - b + (b * length) / average);
          return (frequency * (k1 + 1)) / (frequency + saturation);
        }),
      );
    }
  }

  #rarity(holders: number): number {
    return Math.log(1 + (this.count - holders + 0.5) / (holders + 0.5));
  }
}

/** BM25: how soon a term that comes again counts no more, and how far a long memory counts less. */
const k1 = 1.6;
const b = 0.75;
