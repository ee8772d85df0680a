/** How the stand-in compares texts: words of Latin scripts and pairs of Han characters, without those that bear no meaning. */

const empty = new Set(
  (
    "a an and are as at be but by can could did do does for from had has have how i if in is it its let me my " +
    "of on or our please should so tell that the their them then there these they this to us user was we " +
    "were what when where which who why will with would you your"
  ).split(" "),
);

const emptyHan = /[的了吗呢吧啊是我你您他她它们这那个都在和与就也还要会有多少什么怎哪几请帮给把让]/u;

/** True where the text is mostly written in Chinese. */
export function isChinese(text) {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const latinWords = text.match(/\p{Script=Latin}+/gu)?.length ?? 0;
  return han > latinWords;
}

/** Sentences in order, with their closing mark. */
export function sentences(text) {
  return text
    .split(/(?<=[。！？!?])|(?<=[.])\s+|\n/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

export function isQuestion(sentence) {
  return /[?？]$|[吗呢]$/u.test(sentence);
}

/** The set of words and Han pairs by which two texts are compared. */
export function terms(text) {
  const found = new Set();
  for (const word of text.toLowerCase().match(/[\p{Script=Latin}\d][\p{Script=Latin}\d_-]*/gu) ?? []) {
    if (!empty.has(word)) found.add(word.length > 3 ? word.replace(/s$/u, "") : word);
  }
  for (const run of text.match(/\p{Script=Han}+/gu) ?? []) {
    for (const part of run.split(emptyHan)) {
      const characters = [...part];
      for (let at = 0; at + 1 < characters.length; at += 1) {
        found.add(`${characters[at]}${characters[at + 1]}`);
      }
    }
  }
  return found;
}
