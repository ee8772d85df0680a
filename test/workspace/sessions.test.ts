import { appendFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CrossSessionMemory, MemoryWorkspace, type WorkspaceOptions } from "../../src/index.js";
import { FixedClock } from "../support/clock.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function open(model = new ScriptedModel("[]"), options: WorkspaceOptions = {}) {
  const dir = await temporaryFolder();
  const clock = new FixedClock();
  const workspace = new MemoryWorkspace({ dir, model, logger: new CollectingLogger(), ...options }, clock);
  return { dir, clock, model, workspace };
}

const turn = (words: string) => [
  { role: "user", content: words, id: `${words}-1` },
  { role: "assistant", content: "Noted.", id: `${words}-2` },
];

describe("waiting", () => {
  it("is counted in code points, messages and sessions", async () => {
    const { workspace } = await open();
    expect(await workspace.waiting.count()).toEqual({ characters: 0, messages: 0, sessions: 0 });
    await workspace.recordTurn("a", turn("🦊🦊"));
    await workspace.recordTurn("b", turn("four"));
    expect(await workspace.waiting.count()).toEqual({ characters: 2 + 6 + 4 + 6, messages: 4, sessions: 2 });
  });

  it("is dropped unlearned by clear, which says how many messages there were", async () => {
    const { workspace, model } = await open();
    await workspace.recordTurn("a", turn("I use zsh."));
    await workspace.recordTurn("b", turn("I use nvim."));
    expect(await workspace.waiting.clear()).toBe(4);
    expect(await workspace.waiting.clear()).toBe(0);
    expect(await workspace.extractNow()).toEqual({ requests: 0, stored: 0, remaining: 0 });
    expect(model.requests).toHaveLength(0);
  });
});

describe("sessions.list", () => {
  it("shows each session with its cursor and what waits of it", async () => {
    const { workspace, clock } = await open();
    expect(await workspace.sessions.list()).toEqual([]);
    await workspace.recordTurn("done", turn("I use zsh."));
    await workspace.extractNow();
    await workspace.recordTurn("../fresh", turn("hello"));
    const list = await workspace.sessions.list();
    expect(list.sort((left, right) => (left.sessionId < right.sessionId ? -1 : 1))).toEqual([
      { sessionId: "../fresh", waiting: { characters: 11, messages: 2 } },
      {
        sessionId: "done",
        extractedUpTo: "I use zsh.-2",
        extractedAt: clock.time,
        waiting: { characters: 0, messages: 0 },
      },
    ]);
  });
});

describe("sessions whose words are kept and never learned", () => {
  it("are listed and removed too", async () => {
    const { dir } = await open();
    const workspace = new MemoryWorkspace({ dir, logger: new CollectingLogger() });
    const memory = new CrossSessionMemory({ workspace, sessionId: "no/model" });
    await memory.saveContext({ input: "words" }, { output: "Noted." });
    await appendFile(join(dir, "chats", "copy.jsonl"), "torn\n");
    expect(await workspace.sessions.list()).toEqual([
      { sessionId: "no/model", waiting: { characters: 0, messages: 0 } },
    ]);
    expect(await workspace.sessions.remove("no/model")).toBe(true);
    expect(await workspace.sessions.list()).toEqual([]);
  });
});

describe("sessions.remove", () => {
  it("takes the record, the history and what waits; memories stay", async () => {
    const { workspace, dir } = await open(new ScriptedModel('[{"content":"uses zsh"}]'));
    const memory = new CrossSessionMemory({ workspace, sessionId: "S/1" });
    const kept = new CrossSessionMemory({ workspace, sessionId: "kept" });
    await memory.saveContext({ input: "I use zsh." }, { output: "Noted." });
    await workspace.extractNow();
    await memory.saveContext({ input: "still waiting" }, { output: "Noted." });
    await kept.saveContext({ input: "kept words" }, { output: "Noted." });
    expect(await readdir(join(dir, "chats"))).toHaveLength(3);

    expect(await workspace.sessions.remove("S/1")).toBe(true);
    expect((await readdir(join(dir, "chats"))).filter((name) => !name.startsWith("."))).toEqual([
      "kept.jsonl",
    ]);
    expect(await workspace.waiting.count()).toMatchObject({ sessions: 1, messages: 2 });
    expect((await workspace.sessions.list()).map(({ sessionId }) => sessionId)).toEqual(["kept"]);
    expect(await workspace.memories.list()).toMatchObject([{ content: "uses zsh", sourceScope: "S/1" }]);
    const reopened = new CrossSessionMemory({ workspace, sessionId: "S/1" });
    expect(JSON.stringify(await reopened.loadMemoryVariables({}))).not.toContain("I use zsh.");

    expect(await workspace.sessions.remove("S/1")).toBe(false);
    expect(await workspace.sessions.remove("never seen")).toBe(false);
  });

  it("keeps an extraction under way from bringing the session back, or what was learned from it", async () => {
    let answer: (text: string) => void = () => {};
    const model = new ScriptedModel(() => new Promise<string>((resolve) => (answer = resolve)));
    const { workspace, dir } = await open(model);
    await workspace.recordTurn("gone", turn("I use zsh."));
    await workspace.recordTurn("kept", turn("I use nvim."));
    const extraction = workspace.extractNow();
    await expect.poll(() => model.requests.length).toBe(1);
    expect(await workspace.sessions.remove("gone")).toBe(true);
    answer('[{"content":"uses zsh","session":1},{"content":"uses nvim","session":2}]');
    expect(await extraction).toMatchObject({ requests: 1, stored: 1, remaining: 0 });
    expect((await workspace.sessions.list()).map(({ sessionId }) => sessionId)).toEqual(["kept"]);
    expect((await readdir(join(dir, "chats"))).filter((name) => !name.startsWith("."))).toEqual([
      "kept.json",
    ]);
    expect((await workspace.memories.list()).map(({ content }) => content)).toEqual(["uses nvim"]);
  });
});

describe("close and idle", () => {
  it("idle resolves when the background has saved what it learned", async () => {
    const { workspace } = await open(new ScriptedModel('[{"content":"uses zsh"}]'), {
      extractionTriggerChars: 10,
    });
    await workspace.recordTurn("s", turn("I always use zsh."));
    await workspace.idle();
    expect(await workspace.memories.list()).toMatchObject([{ content: "uses zsh", sourceScope: "s" }]);
    await workspace.idle();
  });

  it("close waits for what runs and starts nothing more; what waits is there for the next process", async () => {
    let answer: (text: string) => void = () => {};
    const slow = new ScriptedModel(() => new Promise<string>((resolve) => (answer = resolve)));
    const { workspace, model, dir } = await open(slow, { extractionTriggerChars: 10 });
    await workspace.recordTurn("s", turn("I always use zsh."));
    await expect.poll(() => model.requests.length).toBe(1);
    const closed = workspace.close();
    answer('[{"content":"uses zsh"}]');
    await closed;
    expect(await workspace.memories.list()).toHaveLength(1);
    await workspace.recordTurn("s", turn("And I use nvim for everything."));
    await workspace.close();
    expect(model.requests).toHaveLength(1);
    const next = new MemoryWorkspace({ dir, model: new ScriptedModel('[{"content":"uses nvim"}]') });
    await next.extractNow();
    expect((await next.memories.list()).map(({ content }) => content)).toEqual(["uses zsh", "uses nvim"]);
  });

  it.each([
    ["rejects", () => Promise.reject(new Error("x"))],
    [
      "throws at once",
      () => {
        throw new Error("x");
      },
    ],
    ["rejects with nothing", () => Promise.reject(undefined)],
    ["rejects with a text", () => Promise.reject("x")],
  ])(
    "a model that %s leaves no unhandled rejection and one warning, and a later turn extracts",
    async (_name, fail) => {
      const unhandled: unknown[] = [];
      const note = (reason: unknown) => unhandled.push(reason);
      process.on("unhandledRejection", note);
      let isWell = false;
      const model = new ScriptedModel(() => (isWell ? '[{"content":"uses zsh"}]' : (fail() as never)));
      const dir = await temporaryFolder();
      const logger = new CollectingLogger();
      const workspace = new MemoryWorkspace({ dir, model, logger, extractionTriggerChars: 10 });
      for (const words of ["I use zsh.", "I use it always.", "I do."]) {
        await workspace.recordTurn("s", turn(words));
        await workspace.idle();
      }
      expect(logger.warnings).toHaveLength(1);
      expect(logger.errors).toEqual([]);
      isWell = true;
      await workspace.recordTurn("s", turn("Yes, zsh."));
      await workspace.idle();
      expect(await workspace.memories.list()).toHaveLength(1);
      expect((await workspace.waiting.count()).messages).toBe(0);
      process.off("unhandledRejection", note);
      expect(unhandled).toEqual([]);
    },
  );
});
