import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rankByWords } from "../../src/selection/rank.js";
import { WordIndex } from "../../src/selection/word-index.js";
import { brokenText } from "../text/nasty-text.js";

const word = fc.constantFrom(
  "cat",
  "cats",
  "telescope",
  "telescopes",
  "猫",
  "用户喜欢猫",
  "喜欢狗",
  "кот",
  "ねこ",
  "job",
);
const content = fc.oneof(
  fc.array(word, { maxLength: 6 }).map((words) => words.join(" ")),
  brokenText,
);

describe("the index of a changed list", () => {
  it("ranks as one that was made from nothing, whatever the list was before", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(content, { maxLength: 12 }), { minLength: 1, maxLength: 5 }),
        fc.array(content, { minLength: 8, maxLength: 12 }),
        content,
        (additions, kept, query) => {
          let reused = new WordIndex(kept);
          for (const added of additions) {
            const contents = [...kept, ...added.slice(0, 4)];
            reused = new WordIndex(contents, reused);
            expect(rankByWords(reused, query)).toEqual(rankByWords(new WordIndex(contents), query));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("leaves the former as it was", () => {
    const former = new WordIndex(["the telescope", "the garden"]);
    const before = rankByWords(former, "zither in the garden");
    new WordIndex(["the telescope", "the garden", "a zither"], former);
    expect(rankByWords(former, "zither in the garden")).toEqual(before);
  });
});
