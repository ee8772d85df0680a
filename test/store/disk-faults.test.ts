import syncFs from "node:fs";
import fs, { mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { CrossSessionMemory, MemoryWorkspace } from "../../src/index.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function open(model = new ScriptedModel("[]")) {
  const dir = await temporaryFolder();
  const logger = new CollectingLogger();
  const workspace = new MemoryWorkspace({
    dir,
    model,
    logger,
    extractionTriggerChars: 100_000,
    extractionChunkChars: 100_000,
  });
  return {
    dir,
    model,
    logger,
    workspace,
    memory: join(dir, "memory"),
    file: join(dir, "memory", "memory.json"),
  };
}

const turn = (words: string) => [
  ["human", words],
  ["ai", "Noted."],
];
/** Appends open their file synchronously. */
function refuseAppends(code: string) {
  const open = syncFs.openSync;
  return vi.spyOn(syncFs, "openSync").mockImplementation((path, flags, mode) => {
    if (flags === "a+") throw fault(code);
    return open(path, flags, mode);
  });
}

const fault = (code: string) => Object.assign(new Error(`${code}: stub`), { code });

describe("a queue that can't be written", () => {
  it("keeps the turns, warns once, and writes them with the next", async () => {
    const { workspace, logger, memory } = await open();
    await mkdir(join(memory, "waiting.jsonl"), { recursive: true });
    for (const words of ["one", "two", "three"]) await workspace.recordTurn("s", turn(words));
    expect(logger.warnings.filter((line) => line.includes("could not be queued"))).toHaveLength(1);
    await rmdir(join(memory, "waiting.jsonl"));
    await workspace.recordTurn("s", turn("four"));
    const lines = (await readFile(join(memory, "waiting.jsonl"), "utf8")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).text).filter((text) => text !== "Noted.")).toEqual([
      "one",
      "two",
      "three",
      "four",
    ]);
    expect((await workspace.waiting.count()).messages).toBe(8);
  });

  it("is warned of anew when it had worked in between", async () => {
    const { workspace, logger, memory } = await open();
    for (let times = 0; times < 2; times++) {
      await rm(join(memory, "waiting.jsonl"), { force: true });
      await mkdir(join(memory, "waiting.jsonl"), { recursive: true });
      await workspace.recordTurn("s", turn(`fails ${times}`));
      await rmdir(join(memory, "waiting.jsonl"));
      await workspace.recordTurn("s", turn(`works ${times}`));
    }
    expect(logger.warnings.filter((line) => line.includes("could not be queued"))).toHaveLength(2);
  });

  it("loses nothing of a turn that is refused in the middle", async () => {
    const { workspace, logger } = await open();
    const opening = refuseAppends("ENOSPC");
    await workspace.recordTurn("s", turn("kept words"));
    opening.mockRestore();
    expect(logger.all).toContain("ENOSPC");
    await workspace.recordTurn("s", turn("later words"));
    expect((await workspace.waiting.count()).messages).toBe(4);
  });
});

describe("a folder that can't be written at all", () => {
  it.each(["EROFS", "EACCES"])("(%s) stops no conversation; each cause is one line", async (code) => {
    const { workspace, logger, dir } = await open();
    await workspace.memories.add("readable fact");
    const chain = new CrossSessionMemory({ workspace, sessionId: "s" });
    for (const name of ["open", "mkdir"] as const) vi.spyOn(fs, name).mockRejectedValue(fault(code));
    refuseAppends(code);
    const lines: string[] = [];
    for (let index = 0; index < 5; index++) {
      expect(JSON.stringify(await chain.loadMemoryVariables({}))).toContain("readable fact");
      await chain.saveContext({ input: `words ${index}` }, { output: "Noted." });
      lines.push(logger.all);
    }
    expect(JSON.stringify(await chain.loadMemoryVariables({}))).toContain("words 4");
    expect(lines[0]).toContain("could not be queued");
    expect(lines[4]).toBe(lines[1]);
    expect(new Set(logger.all.split("\n")).size).toBe(logger.all.split("\n").length);
    vi.restoreAllMocks();
    await chain.saveContext({ input: "words 5" }, { output: "Noted." });
    expect((await workspace.waiting.count()).messages).toBe(12);
    expect(await readdir(join(dir, "chats"))).toEqual(["s.jsonl"]);
    const again = new CrossSessionMemory({ workspace: new MemoryWorkspace({ dir }), sessionId: "s" });
    expect(JSON.stringify(await again.loadMemoryVariables({}))).toContain("words 0");
  });

  it("because a file stands in its place is no different", async () => {
    const { dir, logger, model } = await open();
    await writeFile(join(dir, "ai"), "a file");
    const workspace = new MemoryWorkspace({ dir: join(dir, "ai"), model, logger });
    for (let index = 0; index < 3; index++) {
      expect((await workspace.assembleContext({ sessionId: "s" })).text).toBe("");
      await workspace.recordTurn("s", turn(`words ${index}`));
    }
    await expect(workspace.memories.add("fact")).rejects.toMatchObject({ code: expect.any(String) });
    await expect(workspace.settings.update({ aiMemoryLimit: 20 })).rejects.toMatchObject({
      code: expect.any(String),
    });
    expect(await workspace.memories.list()).toEqual([]);
    expect(await workspace.extractNow()).toMatchObject({ requests: 0 });
    await rm(join(dir, "ai"));
    await workspace.recordTurn("s", turn("words 3"));
    expect((await workspace.waiting.count()).messages).toBe(8);
  });
});

describe("what was learned and can't be saved", () => {
  it("is kept and saved with the next attempt, without a second request", async () => {
    const { workspace, logger, model, file } = await open(new ScriptedModel('[{"content":"uses zsh"}]'));
    await workspace.recordTurn("s", turn("I use zsh."));
    const renaming = vi.spyOn(fs, "rename").mockRejectedValue(fault("ENOSPC"));
    expect(await workspace.extractNow()).toMatchObject({
      stored: 0,
      remaining: 2,
      failure: { reason: expect.any(String) },
    });
    expect(await workspace.extractNow()).toMatchObject({ requests: 0, stored: 0 });
    expect(logger.errors).toHaveLength(1);
    expect(logger.errors[0]).toContain("ENOSPC");
    renaming.mockRestore();
    await expect(readFile(file)).rejects.toMatchObject({ code: "ENOENT" });
    expect(await workspace.extractNow()).toMatchObject({ requests: 0, stored: 1, remaining: 0 });
    expect(model.requests).toHaveLength(1);
    expect(await workspace.memories.list()).toMatchObject([{ content: "uses zsh" }]);
  });

  it("a memory.json that can't be read costs no request and moves nothing", async () => {
    const { workspace, logger, model, file } = await open(new ScriptedModel('[{"content":"uses zsh"}]'));
    await mkdir(file, { recursive: true });
    await workspace.recordTurn("s", turn("I use zsh."));
    for (let times = 0; times < 2; times++) {
      expect((await workspace.assembleContext()).text).toBe("");
      expect(await workspace.extractNow()).toMatchObject({ requests: 0, stored: 0, remaining: 2 });
    }
    expect(model.requests).toHaveLength(0);
    expect(logger.warnings).toHaveLength(2);
    await rmdir(file);
    expect(await workspace.extractNow()).toMatchObject({ requests: 1, stored: 1, remaining: 0 });
  });
});

describe("a person's call that the disk refuses", () => {
  it("succeeds where a rename is refused for a moment", async () => {
    const { workspace } = await open();
    await workspace.memories.add("old");
    const renaming = vi.spyOn(fs, "rename");
    for (let times = 0; times < 3; times++) renaming.mockRejectedValueOnce(fault("EPERM"));
    await workspace.memories.add("new");
    expect(renaming).toHaveBeenCalledTimes(4);
    expect(await workspace.memories.list()).toHaveLength(2);
  });

  it.each(["EPERM", "EXDEV", "ENOSPC"])(
    "rejects with the code (%s); the old file is whole and nothing is left beside it",
    async (code) => {
      const { workspace, file, memory, logger } = await open();
      const item = await workspace.memories.add("old");
      await workspace.settings.update({ aiMemoryLimit: 50 });
      const before = await readFile(file);
      const renaming = vi.spyOn(fs, "rename").mockRejectedValue(fault(code));
      await expect(workspace.memories.add("new")).rejects.toMatchObject({ code });
      await expect(workspace.memories.update(item.id, "new")).rejects.toMatchObject({ code });
      await expect(workspace.memories.remove(item.id)).rejects.toMatchObject({ code });
      await expect(workspace.memories.save([])).rejects.toMatchObject({ code });
      await expect(workspace.settings.update({ aiMemoryLimit: 20 })).rejects.toMatchObject({ code });
      renaming.mockRestore();
      expect(await readFile(file)).toEqual(before);
      expect(await readdir(memory)).toEqual(["memory.json"]);
      expect((await workspace.settings.get()).aiMemoryLimit).toBe(50);
      expect((await workspace.assembleContext()).text).toContain("old");
      expect(logger.all).toBe("");
    },
  );

  it("rejects with a code where a directory stands in place of the file", async () => {
    const { workspace, file } = await open();
    await mkdir(file, { recursive: true });
    const { memories } = workspace;
    for (const call of [
      () => memories.list(),
      () => memories.add("x"),
      () => memories.update("x", "y"),
      () => memories.remove("x"),
      () => memories.clear(),
      () => memories.save([]),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: "EISDIR" });
    }
  });
});

describe("files beside ours", () => {
  it("what a killed process left is swept by a later save, what a living one writes is not", async () => {
    const { workspace, memory } = await open();
    await workspace.memories.add("fact");
    for (const [name, ageMs] of [
      [".memory.json.next", 60_000],
      ["memory.json.123.tmp", 172_800_000],
      [".memory.json.next.456", 172_800_000],
      ["memory.json.124.tmp", 1000],
      ["notes.txt", 172_800_000],
    ] as const) {
      await writeFile(join(memory, name), "half a fi");
      const then = new Date(Date.now() - ageMs);
      await fs.utimes(join(memory, name), then, then);
    }
    expect((await workspace.assembleContext()).text).not.toContain("half");
    await workspace.memories.add("another");
    expect((await readdir(memory)).sort()).toEqual(["memory.json", "memory.json.124.tmp", "notes.txt"]);
  });

  it("folders and broken records among the sessions stop neither the list nor a session", async () => {
    const { workspace, dir } = await open();
    await workspace.recordTurn("whole", turn("words"));
    await workspace.extractNow();
    const chats = join(dir, "chats");
    await mkdir(join(chats, "folder.json"));
    await writeFile(join(chats, "torn.json"), '{"sessionId":"torn');
    await writeFile(join(chats, "copy.json"), await readFile(join(chats, "whole.json")));
    expect((await workspace.sessions.list()).map(({ sessionId }) => sessionId)).toEqual(["whole"]);
    await workspace.recordTurn("torn", turn("words"));
    await workspace.recordTurn("copy", turn("words"));
    expect((await workspace.waiting.count()).sessions).toBe(2);
    await workspace.extractNow();
    expect((await workspace.sessions.list()).map(({ sessionId }) => sessionId).sort()).toEqual([
      "copy",
      "torn",
      "whole",
    ]);
  });
});
