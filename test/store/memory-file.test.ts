import syncFs from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { FixedClock } from "../support/clock.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { useChild } from "./run-child.js";

const runChild = useChild();

async function open(text?: unknown) {
  const dir = await temporaryFolder();
  const file = join(dir, "memory", "memory.json");
  await mkdir(join(dir, "memory"));
  const write = (value: unknown) =>
    writeFile(file, typeof value === "string" ? value : JSON.stringify(value));
  if (text !== undefined) await write(text);
  const logger = new CollectingLogger();
  const workspace = new MemoryWorkspace({ dir, logger }, new FixedClock());
  const read = async () => JSON.parse(await readFile(file, "utf8"));
  const aside = async () => {
    const names = (await readdir(join(dir, "memory"))).filter((name) =>
      name.startsWith("memory.json.corrupt-"),
    );
    return Promise.all(names.sort().map((name) => readFile(join(dir, "memory", name), "utf8")));
  };
  return { dir, file, write, read, aside, logger, workspace, memories: workspace.memories };
}

const kept = { id: "1", content: "keep me", createdAt: 1000, sourceScope: "s" };

describe("memory.json is read generously", () => {
  it.each<[name: string, item: object, read: object]>([
    ["any id", { ...kept, id: "not-a-uuid" }, { ...kept, id: "not-a-uuid" }],
    [
      "an ISO date",
      { ...kept, createdAt: "2026-01-01T00:00:00.000Z" },
      { ...kept, createdAt: 1_767_225_600_000 },
    ],
    ["no date", { ...kept, createdAt: undefined }, { ...kept, createdAt: 0 }],
    ["a date that is none", { ...kept, createdAt: "soon" }, { ...kept, createdAt: 0 }],
    ["no source", { ...kept, sourceScope: undefined }, { ...kept, sourceScope: "global" }],
    ["a source that is none", { ...kept, sourceScope: 5 }, { ...kept, sourceScope: "global" }],
    ["keys of others", { ...kept, starred: true }, kept],
    ["an over-long content", { ...kept, content: "x".repeat(201) }, { ...kept, content: "x".repeat(201) }],
  ])("%s", async (_name, item, read) => {
    const { memories, logger } = await open([item]);
    expect(await memories.list()).toEqual([read]);
    expect(logger.all).toBe("");
  });

  it("what has no time keeps its place", async () => {
    const { memories } = await open([
      { id: "a", content: "a", createdAt: 5 },
      { id: "b", content: "b" },
      { id: "c", content: "c", createdAt: 9 },
      { id: "d", content: "d", createdAt: 1 },
    ]);
    expect((await memories.list()).map(({ id }) => id)).toEqual(["d", "a", "b", "c"]);
  });

  it("a byte order mark, blank lines and a foreign layout are no fault", async () => {
    const { memories, logger } = await open(`\uFEFF\n\n[\t${JSON.stringify(kept)}\n]\n`);
    expect(await memories.list()).toEqual([kept]);
    expect(logger.all).toBe("");
  });

  it("of two entries with one id, copied in an editor, each is a memory of its own", async () => {
    const { memories, read } = await open([
      kept,
      { ...kept, content: "the copy", note: 1 },
      { ...kept, id: "1-2", content: "taken" },
      { ...kept, content: "a third" },
    ]);
    const ids = (await memories.list()).map(({ id, content }) => [id, content]);
    expect(ids).toEqual([
      ["1", "keep me"],
      ["1-3", "the copy"],
      ["1-2", "taken"],
      ["1-4", "a third"],
    ]);
    expect(await memories.remove("1")).toBe(true);
    expect((await memories.list()).map(({ id, content }) => [id, content])).toEqual(ids.slice(1));
    await memories.update("1-3", "corrected");
    expect(await read()).toEqual([
      { ...kept, id: "1-3", content: "corrected", note: 1 },
      { ...kept, id: "1-2", content: "taken" },
      { ...kept, id: "1-4", content: "a third" },
    ]);
  });
});

describe("memory.json is written strictly", () => {
  it("as an array of ids, contents, times and sources, oldest first, for its owner alone", async () => {
    const { memories, file, dir } = await open([
      { id: "b", content: "b", createdAt: "1970-01-01T00:00:09Z" },
      kept,
    ]);
    const added = await memories.add("new");
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual([
      kept,
      { id: "b", content: "b", createdAt: 9000, sourceScope: "global" },
      added,
    ]);
    expect((await readFile(file, "utf8")).endsWith("]\n")).toBe(true);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(join(dir, "memory"))).sort()).toEqual(["memory.json"]);
  });

  it("makes its folders for their owner alone", async () => {
    const dir = join(await temporaryFolder(), "deep", "ai");
    const workspace = new MemoryWorkspace({
      dir,
      model: new ScriptedModel("[]"),
      logger: new CollectingLogger(),
    });
    for (const one of [workspace, workspace.forUser("A")]) {
      await one.memories.add("fact");
      await one.recordTurn("s", [
        ["human", "words"],
        ["ai", "words"],
      ]);
      await one.extractNow();
      await one.recordTurn("s", [
        ["human", "more"],
        ["ai", "words"],
      ]);
      await one.settings.update({ aiMemoryLimit: 50 });
      await one.memories.clear();
      await one.memories.add("fact");
    }
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    const modes = await Promise.all(
      entries.map(async (entry) => {
        const { mode } = await stat(join(entry.parentPath, entry.name));
        return [entry.name, entry.isDirectory() ? "folder" : "file", mode & 0o777] as const;
      }),
    );
    expect(modes.length).toBeGreaterThan(10);
    for (const [name, kind, mode] of modes)
      expect([name, mode]).toEqual([name, kind === "folder" ? 0o700 : 0o600]);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
  });

  it("keeps keys that we don't know, and entries that can't be used", async () => {
    const pinned = { ...kept, starred: true, tags: ["a"], __proto__: undefined };
    const { memories, read, workspace } = await open(
      `[1, "a", null, ${JSON.stringify(pinned)}, {"id":"","content":"no id"}, {"id":"x","content":" "}, []]`,
    );
    expect((await workspace.assembleContext()).text).toContain("- keep me");
    expect(await memories.list()).toHaveLength(1);
    await memories.add("new");
    await memories.update("1", "corrected");
    const stored = await read();
    expect(stored).toHaveLength(8);
    expect(stored).toEqual(expect.arrayContaining([1, "a", null, [], { id: "", content: "no id" }]));
    expect(stored).toContainEqual({ ...kept, content: "corrected", starred: true, tags: ["a"] });
    await memories.remove("1");
    expect(await read()).toHaveLength(7);
  });
});

describe("memory.json that is no array of JSON", () => {
  const broken = [
    "{}",
    '{"memories":[]}',
    "null",
    '"text"',
    "5",
    `[${JSON.stringify(kept)}`,
    "\0".repeat(4096),
    "<<<<<<< HEAD\n[]",
  ];

  it.each(broken.map((text) => [text]))(
    "reads as empty, is warned of once and moved aside: %j",
    async (text) => {
      const { memories, logger, workspace, aside, read, file } = await open(text);
      for (let times = 0; times < 3; times++) {
        expect(await memories.list()).toEqual([]);
        expect((await workspace.assembleContext()).text).toBe("");
      }
      expect(await memories.remove("1")).toBe(false);
      expect(await readFile(file, "utf8")).toBe(text);
      const item = await memories.add("new");
      expect(await read()).toEqual([item]);
      expect(await aside()).toEqual([text]);
      expect(logger.warnings).toHaveLength(1);
      expect(logger.warnings[0]).toContain("memory.json");
    },
  );

  it("is never moved over an earlier one, not even within one moment", async () => {
    const { memories, write, aside, logger } = await open();
    for (const text of ["first", "second", "third"]) {
      await write(text);
      await memories.add(`after ${text}`);
    }
    expect((await aside()).sort()).toEqual(["first", "second", "third"]);
    expect(logger.warnings).toHaveLength(3);
  });

  it("is moved aside by an extraction too; clear takes it, and what was moved aside before", async () => {
    const { dir, write, aside, logger } = await open("one");
    const model = new ScriptedModel('[{"content":"uses zsh"}]');
    const workspace = new MemoryWorkspace({ dir, model, logger }, new FixedClock());
    await workspace.recordTurn("s", [
      ["human", "zsh"],
      ["ai", "ok"],
    ]);
    await workspace.extractNow();
    expect((await workspace.memories.list()).map(({ content }) => content)).toEqual(["uses zsh"]);
    await write("two");
    expect(await workspace.memories.clear()).toBe(0);
    expect(await aside()).toEqual([]);
    expect(await workspace.memories.list()).toEqual([]);
    expect(await readdir(join(dir, "memory"))).not.toContain("memory.json");
  });

  it("is warned of anew when it was whole in between", async () => {
    const { memories, write, logger } = await open("{");
    for (const text of ["[]", "{", "{", "[]", "{"]) {
      await memories.list();
      await write(text);
    }
    await memories.list();
    expect(logger.warnings).toHaveLength(3);
  });

  it.each([[""], ["  \n"], ["\uFEFF"]])("an empty file (%j) is just empty", async (text) => {
    const { memories, logger, aside } = await open(text);
    expect(await memories.list()).toEqual([]);
    await memories.add("new");
    expect(await memories.list()).toHaveLength(1);
    expect(await aside()).toEqual([]);
    expect(logger.all).toBe("");
  });
});

describe("memory.json edited by hand", () => {
  it("is in the next call, and the next write loses nothing of it", async () => {
    const { memories, write, read, workspace } = await open([kept]);
    expect((await workspace.assembleContext()).text).toContain("keep me");
    await write([{ ...kept, content: "keep it" }]);
    expect((await workspace.assembleContext()).text).toContain("keep it");
    await write([...(await read()), { id: "by-hand", content: "added by hand", createdAt: 1001 }]);
    await memories.add("added by code");
    expect((await memories.list()).map(({ content }) => content)).toEqual([
      "keep it",
      "added by hand",
      "added by code",
    ]);
  });

  it("loses nothing while an extraction is under way", async () => {
    const { dir, write, read, memories } = await open([kept]);
    let answer: (text: string) => void = () => {};
    const model = new ScriptedModel(() => new Promise<string>((resolve) => (answer = resolve)));
    const workspace = new MemoryWorkspace({ dir, model, logger: new CollectingLogger() });
    await workspace.recordTurn("s", [
      ["human", "zsh"],
      ["ai", "ok"],
    ]);
    const extraction = workspace.extractNow();
    await expect.poll(() => model.requests.length).toBe(1);
    await memories.add("B, by another instance");
    await runChild("add", dir, "C, by another process,:1");
    await write([...(await read()), { id: "D", content: "D, by hand", createdAt: Date.now() }]);
    answer('[{"content":"E, learned"}]');
    await extraction;
    expect((await memories.list()).map(({ content }) => content).sort()).toEqual([
      "B, by another instance",
      "C, by another process, 0",
      "D, by hand",
      "E, learned",
      "keep me",
    ]);
  });
});

describe("a memory.json that has grown", () => {
  it("of 50 000 entries is read, its newest are used, and the next save brings it to the limit and counts", async () => {
    const entries = Array.from({ length: 50_000 }, (_, index) => ({
      id: `id-${index}`,
      content: `fact ${index} ${"x".repeat(180)}`,
      createdAt: index,
      sourceScope: "global",
    }));
    const { memories, workspace, logger } = await open(entries);
    const openings = vi.spyOn(syncFs, "openSync");
    const readings = vi.spyOn(syncFs, "readFileSync");
    const memory = (await workspace.assembleContext()).segments[0];
    expect(memory?.sources.at(-1)).toBe("id-49999");
    expect(memory?.omitted).toBe(50_000 - (memory?.sources.length ?? 0));
    await memories.add("new");
    expect(await memories.list()).toHaveLength(100);
    expect((await memories.list()).at(0)?.id).toBe("id-49901");
    expect(logger.warnings).toHaveLength(1);
    expect(logger.warnings[0]).toContain("49901");
    // Megabytes that are read at once would hold up every other user of the process.
    const atOnce = [...openings.mock.calls, ...readings.mock.calls].map(([path]) => String(path));
    expect(atOnce.filter((path) => path.includes("memory.json"))).toEqual([]);
  });
});
