import { denials, directions, exactWords, meanings, negations, weakWords, wholeWords } from "./vocabulary.js";

/** Stands for a denial that is part of a word. */
export const notMark = "\u0000not";

/** What stands for all words of one meaning. */
export const meaningByWord = new Map(
  meanings.flatMap(([first = "", ...others]) =>
    others.map((other) => [other, `=${first}`] as const).concat([[first, `=${first}`]]),
  ),
);

/** Whether it stands for several words of one meaning. */
export function isMeaning(word: string): boolean {
  return word.startsWith("=");
}

const projectWords = ["project", "项目"];

export function isProject(word: string): boolean {
  return projectWords.includes(word);
}

/** A word, or what it denies behind a denial. */
export function denialOf(word: string): string[] {
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

export function isKnown(word: string): boolean {
  return vocabulary.has(word);
}

/** In characters. */
export const longestHanWord = Math.max(
  ...[...vocabulary].filter((word) => /^\p{Script=Han}/u.test(word)).map((word) => word.length),
);
