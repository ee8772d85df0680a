import { isEnglishStopWord, stemOf } from "./english.js";

/** What is looked for, and how much it counts. */
export interface Term {
  readonly text: string;
  readonly weight: number;
}

/** The beginning of a longer word stands for its other forms, in any language that inflects at the end. */
const prefixLength = 5;
const prefixWeight = 0.3;
/** One character of a script without spaces says less than two. */
const characterWeight = 0.5;

/** Scripts without spaces between words, and Hangul, whose words carry their particles: taken in pairs of characters. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
const han = /\p{Script=Han}/u;
const words = /[\p{L}\p{M}\p{N}]+/gu;
const asciiOnly = /^[\0-\x7f]*$/;

/** Chinese characters that say nothing about what a sentence is about. */
const stopCharacters = new Set(
  "的了吗呢吧啊呀哦嗯我你您他她它们是在和与及也都就还很这那哪谁几个被把给对从到过着地得要会能让跟什么怎为何",
);

/**
 * The terms of a text in any script, in their order: stems of words and their beginnings; pairs of characters, and single
 * Chinese ones, where words are not set apart.
 */
export function termsOf(text: string): Term[] {
  const terms: Term[] = [];
  const lower = text.toLowerCase();
  if (asciiOnly.test(lower)) {
    for (const word of lower.replaceAll(/'s\b/g, "").match(/[a-z0-9]+/g) ?? []) addWord(terms, word);
    return terms;
  }
  const plain = lower.normalize("NFKC").replaceAll(/[’']s(?![\p{L}\p{N}])/gu, "");
  for (const word of plain.match(words) ?? []) addRun(terms, word);
  return terms;
}

/** A run of letters may change its script in the middle: 「用nvim写」. */
function addRun(terms: Term[], run: string): void {
  let end = 0;
  for (const match of run.matchAll(unspaced)) {
    if (match.index > end) addWord(terms, withoutAccents(run.slice(end, match.index)));
    addCharacters(terms, match[0]);
    end = match.index + match[0].length;
  }
  if (end < run.length) addWord(terms, withoutAccents(run.slice(end)));
}

function addWord(terms: Term[], word: string): void {
  if (isEnglishStopWord(word)) return;
  const stem = stemOf(word);
  terms.push({ text: stem, weight: 1 });
  if (stem.length > prefixLength) {
    terms.push({ text: `^${stem.slice(0, prefixLength)}`, weight: prefixWeight });
  }
}

function addCharacters(terms: Term[], run: string): void {
  const characters = run.match(/\P{M}\p{M}*/gu) ?? [];
  for (const [index, character] of characters.entries()) {
    const isStop = stopCharacters.has(character);
    if (!isStop && han.test(character)) terms.push({ text: character, weight: characterWeight });
    const next = characters[index + 1];
    if (next !== undefined && !(isStop && stopCharacters.has(next))) {
      terms.push({ text: character + next, weight: 1 });
    }
  }
}

/** `café` is found by `cafe`; in Indian scripts and Thai the marks are vowels and stay. */
function withoutAccents(word: string): string {
  return word
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]+/g, "")
    .normalize("NFC");
}
