import { describe, expect, it } from "vitest";
import { fact, longTalk, makeWorld, readRequest } from "./world.js";

const diagnosis = `I was diagnosed with X. ${longTalk}`;

describe("关闭总开关后对话，验证记忆不注入、不提取", () => {
  it("nothing is recorded, injected or extracted", async () => {
    const { workspace, model, say } = await makeWorld({ replies: [fact("A")] });
    await workspace.memories.add("Likes tea");
    await workspace.settings.update({ aiMemoryEnabled: false });
    await say(diagnosis);
    expect(await workspace.waiting.count()).toMatchObject({ messages: 0 });
    expect((await workspace.assembleContext()).text).toBe("");
    expect(model.requests).toHaveLength(0);
  });

  it("`extractNow` does nothing, and what waited from before still waits", async () => {
    const { workspace, model, say } = await makeWorld();
    await say("before");
    await workspace.settings.update({ aiMemoryEnabled: false });
    expect(await workspace.extractNow()).toEqual({ requests: 0, stored: 0, remaining: 2 });
    expect(model.requests).toHaveLength(0);
    await workspace.settings.update({ aiMemoryEnabled: true });
    expect(await workspace.extractNow()).toEqual({ requests: 1, stored: 0, remaining: 0 });
  });

  it("a switch between two parts ends `extractNow`", async () => {
    const world = await makeWorld({
      extractionTriggerChars: 100,
      extractionChunkChars: 100,
      replies: [
        async () => {
          await world.workspace.settings.update({ aiMemoryEnabled: false });
          return "[]";
        },
      ],
    });
    await world.workspace.store.waiting.append(
      [1, 2, 3].map((index) => ({
        entryId: `${index}`,
        session: "s",
        id: `${index}`,
        role: "user",
        time: 0,
        text: "x".repeat(90),
      })),
    );
    expect(await world.workspace.extractNow()).toMatchObject({ requests: 1, remaining: 2 });
  });

  it("nor later what was said then: by ids, also after a restart", async () => {
    const { dir, workspace } = await makeWorld({ enabled: false });
    const turn = [
      { role: "user", content: diagnosis, id: "u1" },
      { role: "assistant", content: "I see", id: "a1" },
    ];
    await workspace.recordTurn("s1", turn);
    await workspace.idle();
    const later = await makeWorld({ dir });
    await later.workspace.recordTurn("s1", turn);
    await later.workspace.recordTurn("s1", [
      ...turn.slice(0, 1),
      { role: "user", content: "hello", id: "u2" },
      { role: "assistant", content: "hi", id: "a2" },
    ]);
    await later.workspace.extractNow();
    expect(readRequest(later.model).lines.map(({ content }) => content)).toEqual(["hello", "hi"]);
  });

  it("nor by words alone, where messages have no ids", async () => {
    const { workspace } = await makeWorld();
    await workspace.settings.update({ aiMemoryEnabled: false });
    await workspace.recordTurn("s1", [["human", diagnosis]]);
    await workspace.settings.update({ aiMemoryEnabled: true });
    await workspace.recordTurn("s1", [
      ["human", diagnosis],
      ["human", "hello"],
      ["ai", "hi"],
    ]);
    expect((await workspace.store.waiting.read()).map(({ text }) => text)).toEqual(["hello", "hi"]);
  });
});

describe("a temporary run", () => {
  it("leaves no word in any file, and the other session is not affected", async () => {
    const { dir, workspace, say } = await makeWorld();
    await workspace.recordTurn(
      "private",
      [
        ["human", diagnosis],
        ["ai", "I see"],
      ],
      { isTemporary: true },
    );
    await say("hello", { session: "open" });
    expect((await workspace.store.waiting.read()).map(({ session }) => session)).toEqual(["open", "open"]);
    const { readdir, readFile } = await import("node:fs/promises");
    for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
      if (entry.isFile())
        expect(await readFile(`${entry.parentPath}/${entry.name}`, "utf8")).not.toContain("diagnosed");
    }
  });

  it("rules are injected in it, memories are not", async () => {
    const { workspace } = await makeWorld();
    await workspace.memories.add("Likes tea");
    const { segments } = await workspace.assembleContext({ isTemporary: true, sessionContext: "here" });
    expect(segments.map(({ kind }) => kind)).toEqual(["session"]);
  });

  it("a turn doesn't wait for the mark's lock", async () => {
    const world = await makeWorld();
    const { sessions } = world.workspace.store;
    const change = sessions.change.bind(sessions);
    let release = () => {};
    const locked = new Promise<void>((resolve) => {
      release = resolve;
    });
    sessions.change = async (...given) => {
      await locked;
      return change(...given);
    };
    await world.workspace.recordTurn("s1", [{ role: "user", content: "x", id: "u1" }, ["ai", "y"]], {
      isTemporary: true,
    });
    release();
    await world.workspace.idle();
    expect((await sessions.read("s1"))?.seen).toEqual([{ id: "u1" }]);
  });

  it("a mark that can't be written holds in memory, with one warning", async () => {
    const world = await makeWorld();
    const { sessions } = world.workspace.store;
    const { change } = sessions;
    sessions.change = () => Promise.reject(new Error("SECRETWORD"));
    const turn = [
      { role: "user", content: diagnosis, id: "u1" },
      { role: "assistant", content: "I see", id: "a1" },
    ];
    for (let run = 0; run < 2; run++) {
      await world.workspace.recordTurn("s1", turn, { isTemporary: true });
      await world.workspace.idle();
    }
    expect(world.logger.warnings).toHaveLength(1);
    expect(world.logger.all).not.toContain("SECRETWORD");
    sessions.change = change;
    await world.workspace.recordTurn("s1", turn);
    expect(await world.workspace.waiting.count()).toMatchObject({ messages: 0 });
  });
});
