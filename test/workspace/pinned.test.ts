import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type MemoryItem, MemoryWorkspace, type WorkspaceOptions } from "../../src/index.js";
import { FixedClock } from "../support/clock.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function open(options: WorkspaceOptions = {}) {
  const dir = options.dir ?? (await temporaryFolder());
  const clock = new FixedClock();
  const logger = new CollectingLogger();
  const workspace = new MemoryWorkspace({ dir, logger, ...options }, clock);
  const { memories } = workspace;
  const stored = async () =>
    JSON.parse(await readFile(join(dir, "memory", "memory.json"), "utf8")) as MemoryItem[];
  /** One after the other, the first the oldest. */
  const addAll = async (...contents: string[]) => {
    const items: MemoryItem[] = [];
    for (const content of contents) {
      clock.advance(1);
      items.push(await memories.add(content));
    }
    return items;
  };
  const contents = async () => (await memories.list()).map(({ content }) => content);
  return { dir, workspace, memories, clock, logger, stored, addAll, contents };
}

const facts = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `fact ${from + index}`);
const refused = { code: "ERR_MEMORY_PINNED_LIMIT" };

describe("memories.setPinned", () => {
  it("gives the item, and the file says so only while it is pinned", async () => {
    const { memories, addAll, stored } = await open();
    const [first, second] = (await addAll("one", "two")) as [MemoryItem, MemoryItem];
    expect(await memories.setPinned(first.id, true)).toEqual({ ...first, pinned: true });
    expect(await memories.list()).toEqual([{ ...first, pinned: true }, second]);
    expect(await stored()).toEqual([{ ...first, pinned: true }, second]);
    expect(await memories.setPinned(first.id, false)).toEqual(first);
    expect(await memories.list()).toEqual([first, second]);
    expect(await stored()).toEqual([first, second]);
  });

  it("is read by another process, and anything but true is no pin and stays in the file", async () => {
    const { dir, memories, addAll, stored } = await open();
    const [item] = (await addAll("one")) as [MemoryItem];
    await writeFile(join(dir, "memory", "memory.json"), JSON.stringify([{ ...item, pinned: "yes" }]));
    expect(await memories.list()).toEqual([item]);
    await addAll("two");
    expect((await stored())[0]).toEqual({ ...item, pinned: "yes" });
    await memories.setPinned(item.id, true);
    expect(await new MemoryWorkspace({ dir }).memories.list()).toMatchObject([{ pinned: true }, {}]);
  });

  it("pinned twice and unpinned twice is the same", async () => {
    const { memories, addAll } = await open();
    const [item] = (await addAll("one")) as [MemoryItem];
    for (const pinned of [true, true, false, false]) {
      expect((await memories.setPinned(item.id, pinned)).pinned === true).toBe(pinned);
    }
    expect(await memories.list()).toEqual([item]);
  });

  it("says that there is no such memory, and that a pin is true or false", async () => {
    const { memories, addAll } = await open();
    const [item] = (await addAll("one")) as [MemoryItem];
    await expect(memories.setPinned("nobody", true)).rejects.toMatchObject({ code: "ERR_MEMORY_NOT_FOUND" });
    const wrong = memories.setPinned(item.id, "yes" as unknown as boolean);
    await expect(wrong).rejects.toMatchObject({ code: "ERR_MEMORY_INVALID" });
    expect(await memories.list()).toEqual([item]);
  });

  it("stays where a correction makes two the same fact, and where a list holds one twice", async () => {
    const { memories, addAll } = await open();
    const [one, two] = (await addAll("one", "two")) as [MemoryItem, MemoryItem];
    await memories.setPinned(two.id, true);
    expect(await memories.update(one.id, "two")).toMatchObject({ id: one.id, pinned: true });
    expect(await memories.list()).toEqual([{ ...one, content: "two", pinned: true }]);
    await memories.save([one, { ...two, content: "one", pinned: true }]);
    expect(await memories.list()).toEqual([{ ...one, pinned: true }]);
  });

  it("stays with a correction", async () => {
    const { memories, addAll } = await open();
    const [item] = (await addAll("one")) as [MemoryItem];
    await memories.setPinned(item.id, true);
    await memories.update(item.id, "one, corrected");
    expect(await memories.list()).toEqual([{ ...item, content: "one, corrected", pinned: true }]);
  });
});

describe("the limit", () => {
  it("never evicts what is pinned, whatever its age: the oldest of the others go", async () => {
    const { memories, addAll, contents } = await open({ limit: 10 });
    const items = await addAll(...facts(10));
    await memories.setPinned((items[0] as MemoryItem).id, true);
    await memories.setPinned((items[4] as MemoryItem).id, true);
    await addAll(...facts(9, 10));
    expect(await contents()).toEqual(["fact 0", "fact 4", ...facts(8, 11)]);
  });

  it("nor what was learned evicts it", async () => {
    const model = new ScriptedModel(JSON.stringify(facts(20, 100)));
    const { workspace, memories, addAll, contents } = await open({ limit: 10, model });
    const [oldest] = (await addAll(...facts(10))) as [MemoryItem];
    await memories.setPinned(oldest.id, true);
    await workspace.recordTurn("s", [
      ["human", "hi"],
      ["ai", "hello"],
    ]);
    await workspace.extractNow();
    expect(await contents()).toEqual(["fact 0", ...facts(9, 111)]);
  });

  it("that is lowered below what is pinned keeps all of it and nothing else", async () => {
    const { workspace, memories, addAll, contents } = await open({ limit: 20 });
    const items = await addAll(...facts(14));
    for (const { id } of items.slice(0, 12)) await memories.setPinned(id, true);
    await workspace.settings.update({ aiMemoryLimit: 10 });
    await memories.remove((items[0] as MemoryItem).id);
    expect(await contents()).toEqual(facts(11, 1));
  });

  it("refuses a pin beyond it, and a new fact where all that is kept is pinned", async () => {
    const { workspace, memories, addAll, contents } = await open({ limit: 10 });
    const items = await addAll(...facts(10));
    for (const { id } of items.slice(0, 9)) await memories.setPinned(id, true);
    await addAll("fact 10");
    expect(await contents()).toEqual([...facts(9), "fact 10"]);
    const [last] = (await memories.list()).slice(-1) as [MemoryItem];
    await memories.setPinned(last.id, true);
    await expect(memories.add("no room")).rejects.toMatchObject(refused);
    await expect(memories.add("no room")).rejects.toThrow("10");
    expect(await memories.add("fact 0")).toMatchObject({ content: "fact 0", pinned: true });
    await workspace.settings.update({ aiMemoryLimit: 11 });
    await addAll("room again");
    expect(await contents()).toEqual([...facts(9), "fact 10", "room again"]);
  });
});

describe("the memory budget", () => {
  /** With its line's mark 103 bytes. */
  const long = (letter: string) => letter.repeat(100);

  it("refuses a pin that it doesn't hold, with the counts and no word of it", async () => {
    const { memories, addAll } = await open({ locale: "en", memoryBudget: 400 });
    const items = await addAll(...Array.from("abcdef", long));
    const pin = (index: number) => memories.setPinned((items[index] as MemoryItem).id, true);
    await pin(0);
    await pin(1);
    const third = pin(2);
    await expect(third).rejects.toMatchObject(refused);
    await expect(third).rejects.toThrow(/memoryBudget \(400 bytes\), got 3 and \d+ bytes/);
    await expect(third).rejects.not.toThrow("ccc");
    expect((await memories.list()).filter(({ pinned }) => pinned === true)).toHaveLength(2);
  });

  it("never leaves out what is pinned, up to the last that it takes, and the oldest first", async () => {
    const { workspace, memories, addAll } = await open({ locale: "en", memoryBudget: 700 });
    const items = await addAll(...Array.from("abcdefghij", long));
    let pinned = 0;
    for (const { id } of items) {
      const isTaken = await memories.setPinned(id, true).then(
        () => true,
        () => false,
      );
      if (!isTaken) break;
      pinned++;
    }
    expect(pinned).toBeGreaterThan(2);
    const [segment] = (await workspace.assembleContext()).segments;
    expect(segment?.sources.slice(0, pinned)).toEqual(items.slice(0, pinned).map(({ id }) => id));
    expect(segment?.bytes).toBeLessThanOrEqual(700);
  });

  it("refuses a correction that makes what is pinned too long, and one that makes it shorter is fine", async () => {
    const { memories, addAll } = await open({ locale: "en", memoryBudget: 400 });
    const [one, two, other] = (await addAll(long("a"), long("b"), "c")) as [
      MemoryItem,
      MemoryItem,
      MemoryItem,
    ];
    await memories.setPinned(one.id, true);
    await memories.setPinned(two.id, true);
    await expect(memories.update(one.id, "a".repeat(200))).rejects.toMatchObject(refused);
    expect((await memories.list())[0]?.content).toBe(long("a"));
    await memories.update(one.id, "short");
    await memories.update(other.id, "c".repeat(200));
    expect(await memories.list()).toMatchObject([{ content: "short" }, {}, { content: "c".repeat(200) }]);
  });

  it("takes what is not forgotten either: a refused correction is still there to be learned", async () => {
    const model = new ScriptedModel(JSON.stringify([{ content: long("a") }]));
    const { workspace, memories, addAll, contents } = await open({ locale: "en", memoryBudget: 400, model });
    const items = (await addAll(long("a"), long("b"))) as [MemoryItem, MemoryItem];
    for (const { id } of items) await memories.setPinned(id, true);
    await expect(memories.update(items[0].id, "a".repeat(200))).rejects.toMatchObject(refused);
    expect((await workspace.store.extraction.read()).forgotten).toBeUndefined();
    expect(await contents()).toEqual([long("a"), long("b")]);
  });
});

describe("memories.save", () => {
  const item = (number: number, part: object = {}): MemoryItem => ({
    id: `id-${number}`,
    content: `fact ${number}`,
    createdAt: number,
    sourceScope: "global",
    ...part,
  });
  const source = { sessionIds: ["s"], messageIds: ["m"], learnedAt: 7 };

  it("stores pins and sources, and what a list without them has no more is gone", async () => {
    const { memories, stored } = await open();
    const whole = [item(1, { pinned: true, source }), item(2, { source: { ...source, byHandAt: 9 } })];
    await memories.save(whole);
    expect(await memories.list()).toEqual(whole);
    expect(await stored()).toEqual(whole);
    await memories.save([item(1, { pinned: false }), item(2)]);
    expect(await memories.list()).toEqual([item(1), item(2)]);
    expect(await stored()).toEqual([item(1), item(2)]);
  });

  it.each([
    ["pinned", { pinned: "yes" }],
    ["pinned", { pinned: 1 }],
    ["source", { source: "s" }],
    ["source", { source: { ...source, sessionIds: "s" } }],
    ["source", { source: { ...source, messageIds: [5] } }],
    ["source", { source: { ...source, learnedAt: "today" } }],
    ["source", { source: { ...source, byHandAt: null } }],
  ])("refuses a wrong %s: %j", async (part, wrong) => {
    const { memories } = await open();
    const saved = memories.save([item(1, wrong)]);
    await expect(saved).rejects.toMatchObject({ code: "ERR_MEMORY_INVALID" });
    await expect(saved).rejects.toThrow(`${part} of item 0`);
  });

  it("refuses more pins than fit, and evicts only what is not pinned", async () => {
    const { memories, contents } = await open({ limit: 10 });
    const all = Array.from({ length: 14 }, (_, number) => item(number, { pinned: number < 3 }));
    await memories.save(all);
    expect(await contents()).toEqual([...facts(3), ...facts(7, 7)]);
    const pinned = Array.from({ length: 11 }, (_, number) => item(number, { pinned: true }));
    await expect(memories.save(pinned)).rejects.toMatchObject(refused);
    expect(await contents()).toHaveLength(10);
  });
});
