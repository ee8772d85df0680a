import { relatedTo } from "./related-words.js";
import { type Lists, TermCollector } from "./term-lists.js";
import { TermNumbers } from "./term-numbers.js";
import { TermReader } from "./terms.js";

/** BM25: how soon a term that comes again counts no more, and how far a long memory counts less. */
const k1 = 1.6;
const b = 0.75;

/**
 * Which memories hold which terms. Memories are numbered by age, the oldest first, and terms as they come. All lists lie one
 * behind the other in a few flat arrays: tens of thousands of small ones would take longer to make than the rest.
 */
export class WordIndex {
  readonly count: number;
  readonly #contents: readonly string[];
  readonly #reader: TermReader;
  /** A successor goes on with the same numbers. */
  readonly #numbers: TermNumbers;
  readonly #termCount: number;
  /** By memory: its terms, and how often it has each (weighted). */
  readonly #terms: Lists;
  /** By term: the memories that hold it, and what each is worth for it beside the term's rarity. */
  readonly #holders: Lists;
  readonly #lengths: Float64Array;

  /** @param former An index of much the same memories: what it has read is not read again. */
  constructor(contents: readonly string[], former?: WordIndex) {
    const source = former?.isWorthReusing(contents) ? former : undefined;
    this.count = contents.length;
    this.#contents = contents;
    this.#reader = source === undefined ? new TermReader() : source.#reader;
    this.#numbers = source === undefined ? new TermNumbers() : source.#numbers;
    this.#lengths = new Float64Array(contents.length);
    this.#terms = this.#read(contents, source);
    this.#termCount = this.#numbers.size;
    this.#holders = this.#invert();
  }

  /** Whether most memories are the same, and few of the terms are those of memories that are gone. */
  isWorthReusing(contents: readonly string[]): boolean {
    const known = new Set(this.#contents);
    const same = contents.filter((content) => known.has(content)).length;
    return same * 2 > contents.length && this.#numbers.size < 2 * this.#terms.entries.length;
  }

  /** The numbers of the terms of a text with their weights; a term that no memory holds is left out. */
  query(text: string): Map<number, number> {
    const query = new Map<number, number>();
    const add = (term: string, weight: number) => {
      const number = this.#numbers.find(term);
      // A successor may have added terms since.
      if (number !== undefined && number < this.#termCount)
        query.set(number, Math.max(query.get(number) ?? 0, weight));
    };
    const look = (term: string, weight: number) => {
      add(term, weight);
      const related = relatedTo(term);
      for (const other of related.terms) add(other, related.weight);
    };
    this.#reader.each(text, {
      term: look,
      character: (unit, weight) => look(String.fromCharCode(unit), weight),
      pair: (first, second, weight) => look(String.fromCharCode(first, second), weight),
    });
    return query;
  }

  /** BM25: what each memory is worth for the query. */
  scores(query: ReadonlyMap<number, number>): Float64Array {
    const scores = new Float64Array(this.count);
    const { starts, entries, weights } = this.#holders;
    for (const [term, weight] of query) {
      const rarity = weight * this.#rarity(term);
      for (let at = numberAt(starts, term); at < numberAt(starts, term + 1); at++) {
        const memory = entries[at] as number;
        scores[memory] = (scores[memory] as number) + rarity * (weights[at] as number);
      }
    }
    return scores;
  }

  /** What the terms of some memories stand for, the most telling first. @param shares How much each memory counts. */
  tellingTerms(shares: ReadonlyMap<number, number>): [term: number, weight: number][] {
    const found = new Map<number, number>();
    const { starts, entries, weights } = this.#terms;
    for (const [memory, share] of shares) {
      for (let at = numberAt(starts, memory); at < numberAt(starts, memory + 1); at++) {
        const term = entries[at] as number;
        const part = (weights[at] as number) / (this.#lengths[memory] as number);
        const telling = share * part * Math.log(1 + this.count / this.#holderCount(term));
        found.set(term, (found.get(term) ?? 0) + telling);
      }
    }
    // Of equals the one that came first: a term's number depends on what was read before.
    return [...found].sort((left, right) => right[1] - left[1]);
  }

  #read(contents: readonly string[], source: WordIndex | undefined): Lists {
    const starts = new Int32Array(contents.length + 1);
    // Chinese text has at most two terms a character, other text far fewer.
    const characters = contents.reduce((sum, { length }) => sum + length, 0);
    const collector = new TermCollector(this.#numbers, 2 * characters);
    const known = new Map(
      source === undefined ? [] : source.#contents.map((content, memory) => [content, memory]),
    );
    for (const [memory, content] of contents.entries()) {
      const same = known.get(content);
      if (source === undefined || same === undefined) this.#reader.each(content, collector);
      else collector.append(...source.#termsOf(same));
      collector.end();
      starts[memory + 1] = collector.size;
    }
    const lists = collector.lists(starts);
    for (let memory = 0; memory < contents.length; memory++) {
      for (let at = numberAt(starts, memory); at < numberAt(starts, memory + 1); at++) {
        this.#lengths[memory] = (this.#lengths[memory] as number) + (lists.weights[at] as number);
      }
    }
    return lists;
  }

  /** What does not depend on the query is worked out once. */
  #invert(): Lists {
    const average = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, this.count) || 1;
    const { starts: memoryStarts, entries: terms, weights: frequencies } = this.#terms;
    const starts = new Int32Array(this.#termCount + 1);
    for (const term of terms) starts[term + 1] = numberAt(starts, term + 1) + 1;
    for (let term = 0; term < this.#termCount; term++) {
      starts[term + 1] = numberAt(starts, term + 1) + numberAt(starts, term);
    }
    const next = starts.slice();
    const entries = new Int32Array(terms.length);
    const weights = new Float64Array(terms.length);
    for (let memory = 0; memory < this.count; memory++) {
      const saturation = k1 * (1 - b + (b * (this.#lengths[memory] as number)) / average);
      for (let at = numberAt(memoryStarts, memory); at < numberAt(memoryStarts, memory + 1); at++) {
        const frequency = frequencies[at] as number;
        const place = numberAt(next, terms[at] as number);
        next[terms[at] as number] = place + 1;
        entries[place] = memory;
        weights[place] = (frequency * (k1 + 1)) / (frequency + saturation);
      }
    }
    return { starts, entries, weights };
  }

  #termsOf(memory: number): [entries: Int32Array, weights: Float64Array] {
    const { starts, entries, weights } = this.#terms;
    const [from, to] = [numberAt(starts, memory), numberAt(starts, memory + 1)];
    return [entries.subarray(from, to), weights.subarray(from, to)];
  }

  #holderCount(term: number): number {
    return numberAt(this.#holders.starts, term + 1) - numberAt(this.#holders.starts, term);
  }

  #rarity(term: number): number {
    const holders = this.#holderCount(term);
    return Math.log(1 + (this.count - holders + 0.5) / (holders + 0.5));
  }
}

function numberAt(numbers: Int32Array, at: number): number {
  return numbers[at] as number;
}
