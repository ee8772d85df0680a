import { denialOf, isKnown, longestHanWord, meaningByWord } from "./known-words.js";
import { wholeWords } from "./vocabulary.js";

/** The longest words that are known, and else single characters. */
export function hanWords(run: string): string[] {
  const found: string[] = [];
  const characters = Array.from(run);
  for (let at = 0; at < characters.length; ) {
    const numeral = numeralAt(characters, at);
    if (numeral !== undefined) {
      found.push(numeral.value);
      at = numeral.end;
      continue;
    }
    let length = Math.min(longestHanWord, characters.length - at);
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
  for (let length = Math.min(longestHanWord, characters.length - at); length > 1; length--) {
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
