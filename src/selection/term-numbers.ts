/** More different characters than any memories hold; beyond it their pairs are kept as text. */
const maxCharacters = 32_768;

/**
 * Numbers of terms, in the order in which they come. Chinese memories are mostly pairs of characters, tens of thousands of
 * them: these are looked up without making a string of each.
 */
export class TermNumbers {
  readonly #texts = new Map<string, number>();
  readonly #characters = new Map<number, number>();
  readonly #singles: number[] = [];
  readonly #pairs = new Map<number, number>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** `undefined` for a term that was never added. */
  find(term: string): number | undefined {
    if (!isCharacters(term)) return this.#texts.get(term);
    const first = this.#characters.get(term.charCodeAt(0));
    if (first === undefined) return undefined;
    if (term.length === 1) return this.#singles[first];
    const second = this.#characters.get(term.charCodeAt(1));
    return second === undefined
      ? undefined
      : (this.#pairs.get(first * maxCharacters + second) ?? this.#texts.get(term));
  }

  add(term: string): number {
    if (!isCharacters(term)) return this.#addText(term);
    const first = term.charCodeAt(0);
    return term.length === 1 ? this.addCharacter(first) : this.addPair(first, term.charCodeAt(1));
  }

  addCharacter(unit: number): number {
    const character = this.#characterOf(unit);
    this.#singles[character] ??= this.#size++;
    return this.#singles[character] as number;
  }

  addPair(first: number, second: number): number {
    const one = this.#characterOf(first);
    const other = this.#characterOf(second);
    if (one >= maxCharacters || other >= maxCharacters) {
      return this.#addText(String.fromCharCode(first, second));
    }
    const key = one * maxCharacters + other;
    let number = this.#pairs.get(key);
    if (number === undefined) {
      number = this.#size++;
      this.#pairs.set(key, number);
    }
    return number;
  }

  #addText(term: string): number {
    let number = this.#texts.get(term);
    if (number === undefined) {
      number = this.#size++;
      this.#texts.set(term, number);
    }
    return number;
  }

  #characterOf(unit: number): number {
    let number = this.#characters.get(unit);
    if (number === undefined) {
      number = this.#characters.size;
      this.#characters.set(unit, number);
    }
    return number;
  }
}

/** One or two characters of the East, each of one code unit: as a text they can be no stem. */
function isCharacters(term: string): boolean {
  return (
    term.length <= 2 && isEastern(term.charCodeAt(0)) && (term.length === 1 || isEastern(term.charCodeAt(1)))
  );
}

function isEastern(unit: number): boolean {
  return unit >= 0x2e80 && (unit < 0xd800 || unit > 0xdfff);
}
