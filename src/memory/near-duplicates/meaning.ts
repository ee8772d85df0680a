import { isMeaning, isProject, meaningByWord, notMark } from "./known-words.js";
import {
  beingWords,
  directions,
  exactWords,
  havingWords,
  negations,
  relationWords,
  weakWords,
} from "./vocabulary.js";
import { wordsIn } from "./words-in.js";

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

function verbOf(parts: readonly string[]): Meaning["verb"] {
  // "Is learning" and "has decided" are no such verbs: what they are and have begins with an article, or is a noun of Chinese.
  const isVerb = (part: string, at: number) =>
    !/^[a-z]/u.test(part) || parts[at + 1] === "a" || parts[at + 1] === "an";
  const is = parts.some((part, at) => beingWords.has(part) && isVerb(part, at));
  const has = parts.some((part, at) => havingWords.has(part) && isVerb(part, at));
  return is === has ? undefined : is ? "is" : "has";
}

function isExact(word: string): boolean {
  return /\d/u.test(word) || exactWords.has(word);
}
