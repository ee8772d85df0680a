import {
  beingWords,
  denials,
  directions,
  exactWords,
  havingWords,
  irregularForms,
  meanings,
  negations,
  numbers,
  relationWords,
  weakWords,
  wholeWords,
} from "./vocabulary.js";

/** What a fact says, without how it says it. */
export interface Meaning {
  /** Words and, of Chinese, characters, in order; those of one meaning as one. */
  readonly words: readonly string[];
  /** Numbers, days, months: what a fact can't be told without. Sorted. */
  readonly exact: readonly string[];
  readonly negations: number;
  /** Whether it matters what comes first. */
  readonly isDirected: boolean;
  /** How its words belong together, as far as that may be left unsaid. */
  readonly relations: ReadonlySet<string>;
  /** Whether somebody is something, or has it; `undefined` where it is told neither way, or both. */
  readonly verb: "is" | "has" | undefined;
  readonly isOfUser: boolean;
  readonly isOfProject: boolean;
}

const notMark = "\u0000not";

export function meaningOf(content: string): Meaning {
  const words: string[] = [];
  const exact: string[] = [];
  let denied = 0;
  let isDirected = false;
  const parts = wordsIn(content);
  for (const part of parts) {
    if (part === notMark || negations.has(part)) {
      denied++;
      // "Uses this and not that": what comes before the denial is meant, what comes after it isn't.
      if (words.some((word) => !isMeaning(word))) isDirected = true;
    } else if (!weakWords.has(part) && !isProject(part)) {
      const word = meaningByWord.get(part) ?? part;
      if (isExact(word.replace(/^=/u, ""))) exact.push(word);
      else words.push(word);
    }
  }
  isDirected ||= parts.some((part) => directions.has(part));
  const all = new Set(parts);
  return {
    words,
    exact: exact.sort(),
    negations: denied,
    isDirected,
    relations: new Set(parts.filter((part) => relationWords.has(part))),
    verb: verbOf(parts),
    isOfUser: all.has("user") || all.has("用户"),
    isOfProject: parts.some(isProject),
  };
}

const meaningByWord = new Map(
  meanings.flatMap(([first = "", ...others]) =>
    others.map((other) => [other, `=${first}`] as const).concat([[first, `=${first}`]]),
  ),
);

function verbOf(parts: readonly string[]): Meaning["verb"] {
  // "Is learning" and "has decided" are no such verbs: what they are and have begins with an article, or is a noun of Chinese.
  const isVerb = (part: string, at: number) =>
    !/^[a-z]/u.test(part) || parts[at + 1] === "a" || parts[at + 1] === "an";
  const is = parts.some((part, at) => beingWords.has(part) && isVerb(part, at));
  const has = parts.some((part, at) => havingWords.has(part) && isVerb(part, at));
  return is === has ? undefined : is ? "is" : "has";
}

/** Whether it stands for several words of one meaning. */
export function isMeaning(word: string): boolean {
  return word.startsWith("=");
}

const projectWords = ["project", "项目"];

function isProject(word: string): boolean {
  return projectWords.includes(word);
}

function isExact(word: string): boolean {
  return /\d/u.test(word) || exactWords.has(word);
}

/** Lower case, without marks, possessives and endings; a denial that is part of a word stands by itself. */
function wordsIn(content: string): string[] {
  const text = content
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\u2018\u2019]/gu, "'")
    .replaceAll(/\bcannot\b/gu, "can not")
    .replaceAll(/\bcan't\b/gu, "can not")
    .replaceAll(/n't\b/gu, " not")
    .replaceAll(/\b(?:instead of|rather than)\b/gu, " not ")
    .replaceAll(/\bused to\b/gu, " formerly ")
    .replaceAll(/\bto be\b|\bwork(?:s|ing)? as\b|\bruns? on\b|\bdiagnosed with\b|\bat the moment\b/gu, " ")
    .replaceAll(/\bgo(?:es|ing)? to (?:sleep|bed)\b/gu, " sleep ")
    .replaceAll(/\bmore than\b/gu, " over ")
    .replaceAll(/\b(?:no longer|no more)\b/gu, " not ")
    .replaceAll(/'s\b|'(?=\s|$)/gu, "")
    .replaceAll(/(?<=\d),(?=\d{3})/gu, "");
  const runs = text.match(/\p{Script=Han}+|[\p{L}\p{M}\p{N}]+(?:[.:+#@&/_][\p{L}\p{N}]+)*[+#]*/gu) ?? [];
  return runs.flatMap((run) => (/^\p{Script=Han}/u.test(run) ? hanWords(run) : latinWord(run)));
}

function latinWord(run: string): string[] {
  const number = numbers.get(run);
  if (number !== undefined) return [number];
  if (/\d/u.test(run)) return [run.replace(/(?<=\d)(?:st|nd|rd|th)$/u, "")];
  const word = irregularForms.get(run) ?? run;
  if (isKnown(word)) return denialOf(word);
  return denialOf(stem(word));
}

function stem(word: string): string {
  const british = word.replace(/our(?=s?$|ite)/u, "or").replace(/is(?=e[sd]?$|ing$)/u, "iz");
  const rules: readonly (readonly [RegExp, string])[] = [
    [/(?<=[^aeiou]{1}[a-z]*|..)ies$/u, "y"],
    [/(?<=ss|sh|ch|x|z)es$/u, ""],
    [/(?<=[a-z]{2}[^su])s$/u, ""],
    [/(?<=[a-z]{3})ing$/u, ""],
  ];
  for (const [ending, replacement] of rules) {
    if (!ending.test(british)) continue;
    const cut = british.replace(ending, replacement);
    if (isKnown(cut)) return cut;
    return withoutEnd(cut);
  }
  return withoutEnd(british);
}

/** `planning` and `plan`, `writing` and `write`. */
function withoutEnd(word: string): string {
  if (isKnown(word)) return word;
  const single = word.replace(/([bdgmnprt])\1$/u, "$1");
  if (isKnown(single)) return single;
  if (isKnown(`${word}e`)) return `${word}e`;
  const cut = single.replace(/e$/u, "");
  // A note is no denial.
  return cut.length > 2 && !isKnown(cut) ? cut : single;
}

/** The longest words that are known, and else single characters. */
function hanWords(run: string): string[] {
  const found: string[] = [];
  const characters = Array.from(run);
  for (let at = 0; at < characters.length; ) {
    const numeral = numeralAt(characters, at);
    if (numeral !== undefined) {
      found.push(numeral.value);
      at = numeral.end;
      continue;
    }
    let length = Math.min(longestWord, characters.length - at);
    while (length > 1 && !isKnown(characters.slice(at, at + length).join(""))) length--;
    const word = characters.slice(at, at + length).join("");
    if (wholeWords.has(word) && !meaningByWord.has(word))
      found.push(...characters.slice(at, at + length).map((one) => `.${one}`));
    else found.push(...denialOf(word));
    at += length;
  }
  return found;
}

const digits = "零一二三四五六七八九";
const units: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000, 万: 10_000 };

/** 六, 十二, 两百五十: a number that stands alone. 一 before what is counted says no more than "a". */
function numeralAt(characters: readonly string[], at: number): { value: string; end: number } | undefined {
  const isNumeral = (one: string | undefined) =>
    one !== undefined && (digits.includes(one) || one === "两" || one in units);
  if (!isNumeral(characters[at])) return undefined;
  for (let length = Math.min(longestWord, characters.length - at); length > 1; length--) {
    if (isKnown(characters.slice(at, at + length).join(""))) return undefined;
  }
  let end = at;
  while (isNumeral(characters[end])) end++;
  let total = 0;
  let current = 0;
  for (const one of characters.slice(at, end)) {
    const unit = units[one];
    if (unit === undefined) current = one === "两" ? 2 : digits.indexOf(one);
    else if (unit === 10_000) {
      total = (total + current) * unit;
      current = 0;
    } else {
      total += (current || 1) * unit;
      current = 0;
    }
  }
  return { value: String(total + current), end };
}

function denialOf(word: string): string[] {
  const denied = denials.get(word);
  if (denied === undefined) return [word];
  return denied === "" ? [notMark] : [notMark, denied];
}

const vocabulary: ReadonlySet<string> = new Set([
  ...weakWords,
  ...projectWords,
  ...negations,
  ...wholeWords,
  ...directions,
  ...exactWords,
  ...denials.keys(),
  ...meaningByWord.keys(),
]);
const longestWord = Math.max(
  ...[...vocabulary].filter((word) => /^\p{Script=Han}/u.test(word)).map((word) => word.length),
);

function isKnown(word: string): boolean {
  return vocabulary.has(word);
}
