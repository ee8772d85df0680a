import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { selectMemories } from "../../src/index.js";
import { askedIn } from "../../src/selection/index.js";
import { brokenText, nastyText } from "../text/nasty-text.js";
import { bytesOf } from "./facts.js";

const text = fc.oneof(brokenText, nastyText, fc.string({ unit: "grapheme" }), fc.lorem({ maxCount: 8 }));
const memories = fc.array(
  fc.record({
    content: text,
    createdAt: fc.integer({ min: 0, max: 20 }),
    pinned: fc.option(fc.boolean(), { nil: undefined }),
  }),
  { maxLength: 30 },
);
const named = fc.constantFrom("newest" as const, "relevant" as const);

describe("any memories, any words", () => {
  it("are never over the budget, oldest first, each once, and the same each time", () => {
    fc.assert(
      fc.property(
        memories,
        text,
        fc.integer({ min: 0, max: 600 }),
        named,
        (given, query, budgetBytes, selection) => {
          const chosen = selectMemories(given, { query, budgetBytes, selection });
          expect(bytesOf(chosen)).toBeLessThanOrEqual(budgetBytes);
          expect(new Set(chosen).size).toBe(chosen.length);
          const sorted = [...given].sort((left, right) => left.createdAt - right.createdAt);
          expect(chosen).toEqual(sorted.filter((memory) => chosen.includes(memory)));
          const again = selectMemories(structuredClone(given), { query, budgetBytes, selection });
          expect(again).toEqual(chosen);
          if (bytesOf(given) <= budgetBytes) expect(chosen).toEqual(sorted);
        },
      ),
      { numRuns: 400 },
    );
  });

  it("leave out no pinned memory that would fit beside the others pinned", () => {
    fc.assert(
      fc.property(
        memories,
        text,
        fc.integer({ min: 0, max: 600 }),
        named,
        (given, query, budgetBytes, selection) => {
          const chosen = new Set(selectMemories(given, { query, budgetBytes, selection }));
          const pinned = given.filter((memory) => memory.pinned === true);
          const left = budgetBytes - bytesOf(pinned.filter((memory) => chosen.has(memory)));
          for (const memory of pinned)
            if (!chosen.has(memory)) expect(bytesOf([memory])).toBeGreaterThan(left);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("ask only by what is in the words", () => {
    fc.assert(
      fc.property(text, (words) => {
        for (const character of askedIn(words)) expect(` ${words}`).toContain(character);
      }),
    );
  });
});
