import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { isNearDuplicate } from "../../src/memory/near-duplicates/index.js";

interface Pair {
  readonly kind: string;
  readonly language: string;
  readonly first: string;
  readonly second: string;
}

async function readPairs(file: string): Promise<Pair[]> {
  const text = await readFile(new URL(`../../bench/near-duplicates/${file}`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [kind = "", language = "", first = "", second = ""] = line.split("\t");
      return { kind, language, first, second };
    });
}

const heldOut = await readPairs("held-out.tsv");
const tuning = await readPairs("tuning.tsv");
const same = heldOut.filter(({ kind }) => kind === "same");
const traps = heldOut.filter(({ kind }) => kind !== "same");

describe("the labelled set", () => {
  it("has at least 200 pairs, Chinese and English, half of them traps of every kind", () => {
    expect(heldOut.length).toBeGreaterThanOrEqual(200);
    expect(traps).toHaveLength(same.length);
    for (const language of ["zh", "en"]) {
      expect(heldOut.filter((pair) => pair.language === language)).toHaveLength(heldOut.length / 2);
      const kinds = new Set(traps.filter((pair) => pair.language === language).map(({ kind }) => kind));
      for (const kind of ["negation", "object", "number"]) expect(kinds).toContain(kind);
    }
  });

  it("shares no pair with the one that the code is tuned on", () => {
    const key = ({ first, second }: Pair) => [first, second].sort().join("\n");
    const tuned = new Set(tuning.map(key));
    expect(heldOut.filter((pair) => tuned.has(key(pair)))).toEqual([]);
  });

  // Counts alone: who saw which ones are told wrongly would tune on them.
  it("is told with a precision of at least 0.99 and a recall of at least 0.6", () => {
    const found = same.filter(({ first, second }) => isNearDuplicate(first, second)).length;
    const wrong = traps.filter(({ first, second }) => isNearDuplicate(first, second)).length;
    expect(found / (found + wrong)).toBeGreaterThanOrEqual(0.99);
    expect(found / same.length).toBeGreaterThanOrEqual(0.6);
  });
});
