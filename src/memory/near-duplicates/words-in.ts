import { hanWords } from "./han-words.js";
import { denialOf, isKnown } from "./known-words.js";
import { irregularForms, numbers } from "./vocabulary.js";

/** Lower case, without marks, possessives and endings; a denial that is part of a word stands by itself. */
export function wordsIn(content: string): string[] {
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
    [/(?<=..)ies$/u, "y"],
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
