import fc from "fast-check";
import { expect, it } from "vitest";
import { contentKey, isReplaceable, type MemoryItem } from "../../src/memory/memory-item.js";
import { mergeLearned, tidy } from "../../src/memory/merge.js";
import { countReplaced, isBelievable, mergeReplacing, noReplacements } from "../../src/memory/replace.js";
import { maxReplaced, withReplaced } from "../../src/memory/replaced-memory.js";

const content = fc.oneof(
  fc.constantFrom("a", "b", "c", " a ", "b\u200B", "é", "e\u0301"),
  fc.string({ unit: "grapheme", maxLength: 4 }),
);
const source = { sessionIds: ["s"], messageIds: ["m"], learnedAt: 1 };
const item = fc.record({
  id: fc.uuid(),
  content,
  createdAt: fc.integer({ min: 0, max: 20 }),
  sourceScope: fc.constant("s"),
  kind: fc.constantFrom("learned", "by hand", "corrected", "pinned"),
});

function memoryOf({ kind, ...others }: { kind: string } & Omit<MemoryItem, "source" | "pinned">): MemoryItem {
  if (kind === "by hand") return others;
  if (kind === "pinned") return { ...others, pinned: true, source };
  return { ...others, source: kind === "corrected" ? { ...source, byHandAt: 2 } : source };
}

/** A store, what it was when the model was asked, and a reply that names any memories. */
const situation = fc
  .record({
    items: fc.array(item, { maxLength: 30 }),
    learned: fc.uniqueArray(
      fc.record({ id: fc.uuid(), content, named: fc.array(fc.nat({ max: 40 }), { maxLength: 6 }) }),
      { maxLength: 5, selector: ({ id }) => id },
    ),
    changes: fc.array(fc.constantFrom("corrected", "pinned", "deleted", "none"), { maxLength: 30 }),
    limit: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ items, learned, changes, limit }) => {
    const asked = tidy(items.map(memoryOf), limit);
    const current = asked.flatMap((one, index) => {
      if (changes[index] === "deleted") return [];
      if (changes[index] === "pinned") return { ...one, pinned: true };
      if (changes[index] === "corrected") return { ...one, content: `${one.content}!` };
      return one;
    });
    const replaces = new Map(
      learned.map(({ id, named }) => [id, named.flatMap((index) => asked[index] ?? [])] as const),
    );
    const news = learned.map(({ named: _, ...one }): MemoryItem => {
      return { ...one, createdAt: 100, sourceScope: "s", source };
    });
    return { current, asked, learned: news, replaces, limit, now: 100 };
  });

function merged(input: Parameters<typeof mergeReplacing>[0]) {
  const isBelieved = isBelievable(input.replaces, input.current.length);
  return mergeReplacing({ ...input, replaces: isBelieved ? input.replaces : noReplacements });
}

it("nothing is replaced that a person wrote, corrected or pinned, nor what has changed since", () => {
  fc.assert(
    fc.property(situation, (input) => {
      const { items, replaced } = mergeReplacing(input);
      const currentIds = new Set(input.current.map(({ id }) => id));
      for (const { replacedAt: _, replacedBy: __, ...old } of replaced) {
        expect(currentIds.has(old.id)).toBe(true);
        expect(isReplaceable(old)).toBe(true);
        expect(input.asked.find(({ id }) => id === old.id)?.content).toBe(old.content);
      }
      for (const one of input.current) {
        // What is no more there was replaced, or fell to the limit.
        const isKept = items.some(({ id }) => id === one.id);
        const isReplaced = replaced.some(({ id }) => id === one.id);
        if (items.length < input.limit) expect(isKept).toBe(!isReplaced);
        else expect(isKept && isReplaced).toBe(false);
      }
    }),
  );
});

it("whatever takes a place is stored, no content is there twice, and the limit holds", () => {
  fc.assert(
    fc.property(situation, (input) => {
      const { items, replaced, added } = mergeReplacing(input);
      const ids = new Set(items.map(({ id }) => id));
      for (const { replacedBy } of replaced) expect(ids.has(replacedBy)).toBe(true);
      const before = new Set(input.current.map(({ content }) => contentKey(content)));
      for (const one of added) expect(before.has(contentKey(one.content))).toBe(false);
      const pinned = items.filter(({ pinned }) => pinned).length;
      expect(items.length).toBeLessThanOrEqual(Math.max(input.limit, pinned));
    }),
  );
});

it("never more than a fifth at once, or two", () => {
  fc.assert(
    fc.property(situation, (input) => {
      const { replaced } = merged(input);
      expect(replaced.length).toBeLessThanOrEqual(Math.max(2, Math.floor(input.current.length / 5)));
      expect(replaced.length).toBeLessThanOrEqual(countReplaced(input.replaces));
    }),
  );
});

it("merging the same again changes nothing", () => {
  fc.assert(
    fc.property(situation, (input) => {
      const first = merged(input);
      const again = merged({ ...input, current: first.items });
      // At the limit one that was evicted comes again.
      if (first.items.length < input.limit) {
        expect(again).toEqual({ items: first.items, added: [], replaced: [] });
      }
      expect(again.replaced).toEqual([]);
    }),
  );
});

it("where a reply replaces nothing, it is the merge as ever", () => {
  fc.assert(
    fc.property(situation, (input) => {
      const { replaced, ...others } = mergeReplacing({ ...input, replaces: noReplacements });
      expect(others).toEqual(mergeLearned(input));
      expect(replaced).toEqual([]);
    }),
  );
});

it("the history keeps the newest, each once, whatever comes", () => {
  const entry = fc.record({ id: fc.nat({ max: 300 }).map(String), replacedAt: fc.nat() }).map((one) => ({
    ...one,
    content: "x",
    createdAt: 0,
    sourceScope: "s",
    replacedBy: "new",
  }));
  fc.assert(
    fc.property(
      fc.array(fc.uniqueArray(entry, { selector: ({ id }) => id }), { maxLength: 6 }),
      (batches) => {
        const history = batches.reduce<ReturnType<typeof withReplaced>>(withReplaced, []);
        expect(history.length).toBeLessThanOrEqual(maxReplaced);
        expect(new Set(history.map(({ id }) => id)).size).toBe(history.length);
        const last = batches.at(-1) ?? [];
        if (last.length > 0) expect(history.slice(-last.length)).toEqual(last.slice(-maxReplaced));
      },
    ),
  );
});
