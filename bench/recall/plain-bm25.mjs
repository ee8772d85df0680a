/** BM25 as a textbook has it, over stems, without stop words, and over single Chinese characters and pairs of them. */

const k1 = 1.2;
const b = 0.75;

export class PlainBm25 {
  #memories;
  #documents;
  #average;
  #holders = new Map();

  constructor(memories) {
    this.#memories = memories;
    this.#documents = memories.map(({ content }) => wordsOf(content));
    const lengths = this.#documents.map(({ length }) => length);
    this.#average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1;
    for (const document of this.#documents) {
      for (const word of new Set(document)) this.#holders.set(word, (this.#holders.get(word) ?? 0) + 1);
    }
  }

  /** All memories, the best first; of equals the newer. */
  ranked(query) {
    const words = [...new Set(wordsOf(query))].filter((word) => this.#holders.has(word));
    return this.#memories
      .map((memory, at) => ({ memory, at, score: this.#score(this.#documents[at], words) }))
      .sort((left, right) => right.score - left.score || right.at - left.at)
      .map(({ memory }) => memory);
  }

  #score(document, words) {
    let score = 0;
    for (const word of words) {
      const count = document.filter((one) => one === word).length;
      if (count === 0) continue;
      const holders = this.#holders.get(word);
      const rarity = Math.log(1 + (this.#memories.length - holders + 0.5) / (holders + 0.5));
      const saturation = k1 * (1 - b + (b * document.length) / this.#average);
      score += (rarity * count * (k1 + 1)) / (count + saturation);
    }
    return score;
  }
}

const stopWords = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have he her him his how i if in into is it " +
    "its me my of on or our she should so some that the their them then there they this to us was we were what when " +
    "where which who whom whose why will with would you your user s t"
  ).split(" "),
);

function wordsOf(text) {
  const runs = text.toLowerCase().match(/\p{Script=Han}+|[\p{L}\p{N}]+/gu) ?? [];
  return runs.flatMap((run) => {
    if (!/\p{Script=Han}/u.test(run)) return stopWords.has(run) ? [] : [stemOf(run)];
    const characters = [...run];
    return [...characters, ...characters.slice(1).map((character, at) => characters[at] + character)];
  });
}

function stemOf(word) {
  return word.length < 5 ? word : word.replace(/(?:ing|ed|es|s)$/, "").replace(/e$/, "");
}
