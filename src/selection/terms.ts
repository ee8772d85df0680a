import { isEnglishStopWord, stemOf } from "./english.js";
import { isChinese, isChineseStop, isPlain } from "./scripts.js";

/** The beginning of a longer word stands for its other forms, in any language that inflects at the end. */
const prefixLength = 5;
const prefixWeight = 0.3;
/** One Chinese character says less than two. */
const characterWeight = 0.5;

/** Scripts without spaces between words, and Hangul, whose words carry their particles: taken in pairs of characters. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
const words = /[\p{L}\p{M}\p{N}]+/gu;
const plainRuns = /[a-z0-9]+|[\u3400-\u4DBF\u4E00-\u9FFF]+/g;

/** Takes the terms of a text, each with how much it counts, from 0 to 1. */
export interface TermVisitor {
  term(text: string, weight: number): void;
  /** One Chinese character, by its code unit. */
  character(unit: number, weight: number): void;
  /** Two characters that stand side by side, by their code units. */
  pair(first: number, second: number, weight: number): void;
}

/**
 * The terms of texts in any script: stems of words and their beginnings; pairs of characters, and single Chinese ones, where
 * words are not set apart. It remembers the words that it has seen.
 */
export class TermReader {
  readonly #stems = new Map<string, string>();

  each(text: string, visitor: TermVisitor): void {
    const lower = text.toLowerCase();
    if (isPlain(lower)) {
      for (const run of withoutPossessives(lower).match(plainRuns) ?? []) {
        if (run.charCodeAt(0) < 0x80) this.#word(run, visitor);
        else visitChinese(run, visitor);
      }
      return;
    }
    const whole = withoutPossessives(lower.normalize("NFKC").toLowerCase());
    for (const run of whole.match(words) ?? []) this.#run(run, visitor);
  }

  /** A run of letters may change its script in the middle: 「用nvim写」. */
  #run(run: string, visitor: TermVisitor): void {
    let end = 0;
    for (const { index, 0: part } of run.matchAll(unspaced)) {
      if (index > end) this.#word(withoutAccents(run.slice(end, index)), visitor);
      visitCharacters(part.match(/\P{M}\p{M}*/gu) ?? [], visitor);
      end = index + part.length;
    }
    if (end < run.length) this.#word(withoutAccents(run.slice(end)), visitor);
  }

  #word(word: string, visitor: TermVisitor): void {
    let stem = this.#stems.get(word);
    if (stem === undefined) {
      stem = isEnglishStopWord(word) ? "" : stemOf(word);
      this.#stems.set(word, stem);
    }
    if (stem === "") return;
    visitor.term(stem, 1);
    if (stem.length > prefixLength) visitor.term(`^${stem.slice(0, prefixLength)}`, prefixWeight);
  }
}

/** A run of Chinese characters of one code unit each. */
function visitChinese(run: string, visitor: TermVisitor): void {
  let unit = run.charCodeAt(0);
  let isStop = isChineseStop(unit);
  for (let at = 1; at <= run.length; at++) {
    if (!isStop) visitor.character(unit, characterWeight);
    if (at === run.length) return;
    const next = run.charCodeAt(at);
    const isNextStop = isChineseStop(next);
    if (!(isStop && isNextStop)) visitor.pair(unit, next, 1);
    unit = next;
    isStop = isNextStop;
  }
}

/** The same for any script, with marks that belong to the character before them. */
function visitCharacters(characters: readonly string[], visitor: TermVisitor): void {
  for (const [at, character] of characters.entries()) {
    const isStop = isChineseStop(character.charCodeAt(0));
    if (!isStop && isChinese(character)) visitor.term(character, characterWeight);
    const next = characters[at + 1];
    if (next !== undefined && !(isStop && isChineseStop(next.charCodeAt(0)))) {
      visitor.term(character + next, 1);
    }
  }
}

function withoutPossessives(text: string): string {
  return text.includes("'s") || text.includes("’s") ? text.replaceAll(/['’]s(?![\p{L}\p{N}])/gu, "") : text;
}

/** `café` is found by `cafe`; in Indian scripts and Thai the marks are vowels and stay. */
function withoutAccents(word: string): string {
  return word
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]+/g, "")
    .normalize("NFC");
}
