import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { contentKey, type MemoryItem } from "../../src/memory/memory-item.js";
import { mergeLearned, tidy } from "../../src/memory/merge.js";
import { fact, makeWorld } from "../extraction/world.js";

const item = fc.record({
  id: fc.uuid(),
  content: fc.oneof(
    fc.constantFrom("a", "b", " a ", "b\u200B", "é", "e\u0301"),
    fc.string({ unit: "grapheme" }),
  ),
  createdAt: fc.integer({ min: 0, max: 20 }),
  sourceScope: fc.constant("global"),
});
const keys = (items: readonly MemoryItem[]) => items.map(({ content }) => contentKey(content));

it("merging keeps the newest within the limit, no content twice, and merging again changes nothing", () => {
  fc.assert(
    fc.property(fc.array(item), fc.array(item), fc.integer({ min: 1, max: 12 }), (stored, learned, limit) => {
      const current = tidy(stored, limit);
      const merged = mergeLearned({ current, asked: current, learned, limit });
      expect(merged.items.length).toBeLessThanOrEqual(limit);
      expect(new Set(keys(merged.items)).size).toBe(merged.items.length);
      // An equal one is no news, however new it is.
      const news = learned.filter(
        ({ content }, index) =>
          !["", ...keys(current), ...keys(learned.slice(0, index))].includes(contentKey(content)),
      );
      const all = [...current, ...news];
      const oldestKept = Math.min(...merged.items.map(({ createdAt }) => createdAt));
      const left = all.filter(({ content }) => !keys(merged.items).includes(contentKey(content)));
      if (merged.items.length < limit) expect(left).toEqual([]);
      for (const { createdAt } of left) expect(createdAt).toBeLessThanOrEqual(oldestKept);
      for (const one of current) {
        // An equal one keeps the old item.
        const same = merged.items.find(({ content }) => contentKey(content) === contentKey(one.content));
        if (same !== undefined) expect(same.id).toBe(one.id);
      }
      const again = mergeLearned({
        current: merged.items,
        asked: merged.items,
        learned: merged.items,
        limit,
      });
      expect(again).toEqual({ items: merged.items, added: [] });
    }),
  );
});

it("any history, whole or in part and as often as it likes, is sent once", async () => {
  const steps = fc.array(
    fc.record({
      session: fc.constantFrom("a", "b"),
      repeat: fc.boolean(),
      whole: fc.boolean(),
      extract: fc.boolean(),
    }),
    { minLength: 1, maxLength: 10 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const world = await makeWorld();
      const histories: Record<string, { role: string; content: string; id: string }[]> = { a: [], b: [] };
      let said = 0;
      for (const { session, repeat, whole, extract } of sequence) {
        const history = histories[session] ?? [];
        const number = said++;
        history.push({ role: "user", content: `<${number}>`, id: `u${number}` });
        history.push({ role: "assistant", content: "ok", id: `a${number}` });
        const given = whole ? history : history.slice(-2);
        await world.workspace.recordTurn(session, given);
        if (extract) await world.workspace.extractNow();
        if (repeat) await world.workspace.recordTurn(session, given);
      }
      await world.workspace.extractNow();
      const sent = world.model.prompts.flatMap((prompt) => prompt.match(/<\d+>/g) ?? []);
      expect(sent.sort()).toEqual(Array.from({ length: said }, (_, number) => `<${number}>`).sort());
    }),
    { numRuns: 25 },
  );
});

it("any bytes in any file never throw into a conversation, and the next memory is stored", async () => {
  const paths = [
    "memory/memory.json",
    "memory/history.json",
    "memory/candidates.json",
    "memory/waiting.jsonl",
    "memory/extraction.json",
    "chats/s1.json",
    "settings.json",
    "rules/a.md",
  ];
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .constantFrom(
        "[",
        "null",
        '[{"id":1}]',
        '[{"id":"a","content":"b","replacedAt":1,"replacedBy":"a"}]',
        '[{"id":"a","content":"b","replaces":[0,"a",null]}]',
        '{"usage":{},"forgotten":[]}',
        '{"forgotten":{"salt":"x","facts":[0,null]}}',
        "\0".repeat(4096),
      )
      .map((text) => Buffer.from(text)),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...paths), bytes), { maxLength: 6 }),
      async (files) => {
        const world = await makeWorld({ consolidate: true, review: true, replies: [fact("learned")] });
        for (const folder of ["memory", "chats", "rules"])
          await mkdir(join(world.dir, folder), { recursive: true });
        for (const [path, content] of files) await writeFile(join(world.dir, path), content);
        await world.workspace.assembleContext({ sessionId: "s1" });
        await world.say("words");
        await world.workspace.extractNow();
        await world.workspace.usage();
        for (const { id } of await world.workspace.candidates.list())
          await world.workspace.candidates.reject(id);
        for (const { id } of await world.workspace.memories.history())
          await world.workspace.memories.restore(id);
        const { id } = await world.workspace.memories.add("a fact that no file holds");
        expect((await world.workspace.memories.list()).map((one) => one.id)).toContain(id);
        await world.workspace.memories.remove(id);
        await world.workspace.sessions.list();
        await world.workspace.memories.clear({ waiting: true });
      },
    ),
    { numRuns: 30 },
  );
});
