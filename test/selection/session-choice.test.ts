import { describe, expect, it } from "vitest";
import type { MemoryItem } from "../../src/index.js";
import { indexOf, nextChoice, rankByWords, type SessionChoice, worthsOf } from "../../src/selection/index.js";
import { bytesOf, fact, manyFacts } from "./facts.js";

const budgetBytes = 1024;

function next(
  memories: readonly MemoryItem[],
  former: SessionChoice | undefined,
  words: string,
  { asks = true, budget = budgetBytes } = {},
): SessionChoice {
  const index = indexOf(memories);
  const worths = worthsOf(index, rankByWords(index.words, words));
  return nextChoice(index, former, { worths, asks, budgetBytes: budget });
}

function contents(memories: readonly MemoryItem[], choice: SessionChoice): string[] {
  return memories.filter(({ id }) => choice.has(id)).map(({ content }) => content);
}

describe("a session's choice", () => {
  const zither = fact("The user owns an old zither and plays it on Sundays", -1);
  const memories = [zither, ...manyFacts()];

  it("stays as it is while nothing is asked for", () => {
    const first = next(memories, undefined, "good morning");
    const second = next(memories, first, "my zither has a new string", { asks: false });
    expect([...second.keys()].sort()).toEqual([...first.keys()].sort());
  });

  it("takes in what a question needs and lets go of few", () => {
    const first = next(memories, undefined, "good morning");
    expect(first.has(zither.id)).toBe(false);
    const second = next(memories, first, "the zither");
    expect(second.has(zither.id)).toBe(true);
    const gone = [...first.keys()].filter((id) => !second.has(id));
    expect(gone.length).toBeLessThanOrEqual(2);
  });

  it("lets go first of what has served least lately", () => {
    let choice = next(memories, undefined, "good morning");
    choice = next(memories, choice, "the zither");
    choice = next(memories, choice, "the marathon");
    expect(choice.has(zither.id)).toBe(true);
    for (let turn = 0; turn < 30; turn++)
      choice = next(memories, choice, turn % 2 ? "the violin" : "the recipe");
    expect(contents(memories, choice).some((content) => content.includes("violin"))).toBe(true);
  });

  it("follows the memories: what was deleted goes, what was learned comes, all within the budget", () => {
    const first = next(memories, undefined, "good morning");
    const fewer = memories.filter(({ id }, at) => !first.has(id) || at % 2 === 0);
    const learned = fact("just learned", 10_000);
    const second = next([...fewer, learned], first, "well", { asks: false });
    const chosen = [...fewer, learned].filter(({ id }) => second.has(id));
    expect(chosen).toContain(learned);
    expect(second.size).toBe(chosen.length);
    expect(bytesOf(chosen)).toBeLessThanOrEqual(budgetBytes);
    expect(bytesOf(chosen)).toBeGreaterThan(budgetBytes * 0.85);
  });

  it("shrinks with the budget", () => {
    const first = next(memories, undefined, "good morning");
    const second = next(memories, first, "well", { asks: false, budget: 300 });
    const chosen = memories.filter(({ id }) => second.has(id));
    expect(bytesOf(chosen)).toBeLessThanOrEqual(300);
    expect(chosen.length).toBeGreaterThan(2);
  });
});
