import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assemble, type ContextParts } from "../../src/context/index.js";
import { contextTexts } from "../../src/locales/context-texts.js";
import { oneLine, utf8Length } from "../../src/text/index.js";
import { brokenText, nastyText } from "../text/nasty-text.js";

const assets = fc.array(
  fc.record({ name: nastyText.map(oneLine), body: nastyText }).map(({ name, body }) => ({
    filename: `${name}.md`,
    name,
    description: "",
    bytes: utf8Length(body),
    truncated: false,
    body,
  })),
  { maxLength: 8 },
);

const memories = fc.array(
  fc.record({
    id: fc.uuid(),
    content: brokenText,
    createdAt: fc.nat(),
    sourceScope: fc.constantFrom("global", "s1"),
  }),
  { maxLength: 12 },
);

const parts: fc.Arbitrary<ContextParts> = fc.record({
  rules: assets,
  skills: assets,
  memories,
  summary: fc.option(brokenText, { nil: undefined }),
  sessionContext: fc.option(brokenText, { nil: undefined }),
  planContext: fc.option(brokenText, { nil: undefined }),
});

const bytes = fc.integer({ min: 256, max: 1500 });
const budgets = fc.record({
  memoryBudget: bytes,
  assetBudget: bytes,
  assetFileBudget: bytes,
  planBudget: bytes,
  sharedAssetBudget: fc.option(bytes, { nil: undefined }),
});

const locale = fc.constantFrom("zh-CN" as const, "en" as const);
const order = ["rules", "skills", "memory", "summary", "session"];

describe("any context", () => {
  it("keeps every budget, splits no character, is made of its segments and the same each time", () => {
    fc.assert(
      fc.property(parts, budgets, locale, (given, limits, name) => {
        const texts = contextTexts[name];
        const { segments, text } = assemble(given, limits, texts);
        expect(assemble(structuredClone(given), limits, texts)).toEqual({ segments, text });
        expect(text).toBe(segments.map((segment) => segment.text).join("\n\n"));
        expect(text.isWellFormed()).toBe(true);
        if (!JSON.stringify(given).includes("\uFFFD")) expect(text).not.toContain("\uFFFD");

        const kinds = segments.map(({ kind }) => kind);
        expect(kinds).toEqual(order.filter((kind) => (kinds as string[]).includes(kind)));
        for (const segment of segments) expect(segment.bytes).toBe(utf8Length(segment.text));

        const sizes = Object.fromEntries(segments.map((segment) => [segment.kind, segment.bytes]));
        const { rules = 0, skills = 0, memory = 0 } = sizes;
        expect(memory).toBeLessThanOrEqual(limits.memoryBudget);
        if (limits.sharedAssetBudget === undefined) {
          expect(Math.max(rules, skills)).toBeLessThanOrEqual(limits.assetBudget);
        } else {
          expect(rules + skills).toBeLessThanOrEqual(limits.sharedAssetBudget);
        }
        const planAlone = assemble({ ...given, summary: "", sessionContext: "" }, limits, texts).segments.at(
          -1,
        );
        if (planAlone?.kind === "session") expect(planAlone.bytes).toBeLessThanOrEqual(limits.planBudget);
      }),
      { numRuns: 300 },
    );
  });

  it("leaves nothing out without counting it", () => {
    fc.assert(
      fc.property(parts, budgets, (given, limits) => {
        const { segments } = assemble(given, limits, contextTexts["zh-CN"]);
        const counted = (kind: string) => {
          const segment = segments.find((one) => one.kind === kind);
          return (segment?.sources.length ?? 0) + (segment?.omitted ?? 0);
        };
        expect(counted("rules")).toBe(given.rules.filter(({ body }) => body !== "").length);
        expect(counted("skills")).toBe(given.skills.filter(({ body }) => body !== "").length);
        const filled = given.memories.filter(({ content }) => oneLine(content) !== "").length;
        expect(counted("memory")).toBeLessThanOrEqual(filled);
      }),
      { numRuns: 300 },
    );
  });

  it("a memory is one line between the heading and the note", () => {
    fc.assert(
      fc.property(memories, (given) => {
        const { segments } = assemble(
          { rules: [], skills: [], memories: given },
          { memoryBudget: 100_000, assetBudget: 256, assetFileBudget: 256, planBudget: 256 },
          contextTexts["zh-CN"],
        );
        const [segment] = segments;
        const lines = segment?.text.split(/\r\n|[\n\r\u2028\u2029\u0085\v\f]/u).slice(2) ?? [];
        expect(lines.length).toBe(segment?.sources.length ?? 0);
        expect(lines.every((line) => line.startsWith("- "))).toBe(true);
      }),
    );
  });

  it("a change of a memory changes nothing before its own segment", () => {
    fc.assert(
      fc.property(parts, memories, budgets, (given, others, limits) => {
        const assetsOf = (context: ContextParts) =>
          assemble(context, limits, contextTexts["zh-CN"]).segments.filter(
            ({ kind }) => kind === "rules" || kind === "skills",
          );
        expect(assetsOf({ ...given, memories: others })).toEqual(assetsOf(given));
      }),
      { numRuns: 50 },
    );
  });
});
