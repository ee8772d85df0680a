import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { JsonMemoryStore } from "../../src/index.js";
import type { ScriptedReply } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { diskError, failingStore } from "./failing-store.js";
import { fact, longTalk, makeWorld, readRequest, sessionRecord, storedItems } from "./world.js";

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

function facts(...contents: string[]): string {
  return JSON.stringify(contents.map((content) => ({ content })));
}

describe("merging", () => {
  it("合并去重：新旧 content 相同时保留旧 id/createdAt", async () => {
    const { workspace, say, clock } = await makeWorld({ replies: [facts("用户使用 zsh", "用户使用 pnpm")] });
    const old = await workspace.memories.add("用户使用 zsh");
    clock.advance(60_000);
    await say(longTalk);
    const items = await workspace.memories.list();
    expect(items).toEqual([
      old,
      {
        id: expect.stringMatching(uuid),
        content: "用户使用 pnpm",
        createdAt: clock.time,
        sourceScope: "s1",
        source: expect.objectContaining({ sessionIds: ["s1"], learnedAt: clock.time }),
      },
    ]);
    expect(items[0]?.createdAt).toBe(clock.time - 60_000);
  });

  it("spaces, zero-width characters and Unicode form make no difference; case and words do", async () => {
    const said = [
      "Lives in Lyon",
      " Lives  in Lyon ",
      "Lives in Ly\u200bon",
      "Lives in Lyon.",
      "lives in Lyon",
      "Does not live in Lyon",
      "Café",
      "Cafe\u0301",
    ];
    const { contents, say } = await makeWorld({ replies: said.map((one) => fact(one)) });
    for (const _ of said) await say(longTalk);
    expect(await contents()).toEqual([
      "Lives in Lyon",
      "Lives in Lyon.",
      "lives in Lyon",
      "Does not live in Lyon",
      "Café",
    ]);
  });

  it("a complete merged array, as the first document asks for it, merges to the same", async () => {
    const { workspace, contents, say } = await makeWorld({ replies: [facts("A", "B", "C")] });
    const old = [await workspace.memories.add("A"), await workspace.memories.add("B")];
    await say(longTalk);
    expect(await contents()).toEqual(["A", "B", "C"]);
    expect((await workspace.memories.list()).slice(0, 2)).toEqual(old);
  });

  it("the order within a batch is kept, also after a restart, and ids are all different", async () => {
    const said = Array.from({ length: 500 }, (_, index) => `fact ${index % 10}${index}`);
    const world = await makeWorld({ limit: 1000, replies: [facts(...said)] });
    await world.say(longTalk);
    expect(await world.contents()).toEqual(said);
    const again = await makeWorld({ dir: world.dir });
    expect(await again.contents()).toEqual(said);
    expect(new Set((await again.workspace.memories.list()).map(({ id }) => id)).size).toBe(500);
  });

  it("the oldest go beyond the limit, and the newest of the batch stay", async () => {
    const { workspace, contents, say } = await makeWorld({ limit: 10, replies: [facts("n1", "n2", "n3")] });
    for (let index = 0; index < 9; index++) await workspace.memories.add(`old ${index}`);
    await say(longTalk);
    expect(await contents()).toEqual([
      "old 2",
      "old 3",
      "old 4",
      "old 5",
      "old 6",
      "old 7",
      "old 8",
      "n1",
      "n2",
      "n3",
    ]);
  });

  it("more facts than the limit: the last of the batch are kept, and `stored` counts what is there", async () => {
    const said = Array.from({ length: 15 }, (_, index) => `n${index}`);
    const { workspace, contents } = await makeWorld({ limit: 10, replies: [facts(...said)] });
    await workspace.recordTurn("s1", [
      ["human", "hi"],
      ["ai", "ok"],
    ]);
    expect(await workspace.extractNow()).toMatchObject({ stored: 10 });
    expect(await contents()).toEqual(said.slice(5));
  });

  it("a lowered limit evicts with the next save, with a warning that counts", async () => {
    const { workspace, say, logger } = await makeWorld({ replies: [fact("new")] });
    for (let index = 0; index < 20; index++) await workspace.memories.add(`old ${index}`);
    await workspace.settings.update({ aiMemoryLimit: 10 });
    expect(await workspace.memories.list()).toHaveLength(20);
    await say(longTalk);
    expect(await workspace.memories.list()).toHaveLength(10);
    expect(logger.warnings).toEqual([
      "[cross-session-memory] 11 memories beyond the limit were evicted, the oldest first",
    ]);
  });

  it("what a person adds while the model is asked is kept", async () => {
    const world = await makeWorld({
      replies: [
        async () => {
          await world.workspace.memories.add("added meanwhile");
          return fact("learned");
        },
      ],
    });
    await world.say(longTalk);
    expect(await world.contents()).toEqual(["added meanwhile", "learned"]);
  });
});

describe("sourceScope", () => {
  it("is the session where the part is of one", async () => {
    const { dir, say } = await makeWorld({ replies: [fact("A")] });
    await say(longTalk, { session: "chat/ü" });
    expect((await storedItems(dir))[0]?.sourceScope).toBe("chat/ü");
  });

  it("is the one that the reply names by its number, and `global` where it can't say", async () => {
    const reply = JSON.stringify([
      { content: "A", session: 1 },
      { content: "B", session: 2 },
      { content: "C", session: "2" },
      { content: "D" },
      { content: "E", session: 3 },
      { content: "F", session: "s1" },
    ]);
    const { dir, workspace, say } = await makeWorld({ replies: [reply] });
    await say("x", { session: "s1" });
    await say("y", { session: "s2" });
    await workspace.extractNow();
    expect((await storedItems(dir)).map(({ sourceScope }) => sourceScope)).toEqual([
      "s1",
      "s2",
      "s2",
      "global",
      "global",
      "global",
    ]);
  });
});

describe("what a person does while the model is asked", () => {
  /** Asks, and does something before the answer is there. */
  const meanwhile =
    (act: () => Promise<unknown>, reply: string): ScriptedReply =>
    async () => {
      await act();
      return reply;
    };

  it("what was in the request and has been deleted meanwhile stays deleted", async () => {
    const world = await makeWorld({
      replies: [
        meanwhile(
          async () => world.workspace.memories.remove(nuts.id),
          facts("allergic  to nuts", "likes tea"),
        ),
      ],
    });
    const nuts = await world.workspace.memories.add("allergic to nuts");
    await world.say(longTalk);
    expect(await world.contents()).toEqual(["likes tea"]);
    // Deleting moves no cursor: what was said is not mined again.
    expect(await world.workspace.waiting.count()).toMatchObject({ messages: 0 });
  });

  it("what was corrected meanwhile does not come back in its old words", async () => {
    const world = await makeWorld({
      replies: [
        meanwhile(
          () => world.workspace.memories.update(lyon.id, "lives in Oslo"),
          facts("lives in Lyon", "likes tea"),
        ),
      ],
    });
    const lyon = await world.workspace.memories.add("lives in Lyon");
    await world.say(longTalk);
    expect(await world.contents()).toEqual(["lives in Oslo", "likes tea"]);
  });

  it("a `clear` discards the result, and what was sent does not wait again", async () => {
    const world = await makeWorld({
      replies: [meanwhile(() => world.workspace.memories.clear(), fact("likes tea")), "[]"],
    });
    await world.workspace.memories.add("allergic to nuts");
    await world.say(longTalk);
    expect(await world.contents()).toEqual([]);
    expect(await world.workspace.waiting.count()).toMatchObject({ messages: 0 });
  });

  it("a `clear` of an empty store discards the result too", async () => {
    const world = await makeWorld({
      replies: [meanwhile(() => world.workspace.memories.clear(), fact("likes tea"))],
    });
    await world.say(longTalk);
    expect(await world.contents()).toEqual([]);
  });

  it("a `clear` in another process discards the result", async () => {
    const dir = await temporaryFolder();
    const other = await makeWorld({ dir });
    const world = await makeWorld({
      dir,
      replies: [meanwhile(() => other.workspace.memories.clear(), fact("likes tea"))],
    });
    await world.say(longTalk);
    expect(await world.contents()).toEqual([]);
  });

  it("an extraction after the `clear` learns again", async () => {
    const world = await makeWorld({ replies: [fact("likes tea")] });
    await world.workspace.memories.clear();
    await world.say(longTalk);
    expect(await world.contents()).toEqual(["likes tea"]);
  });

  it("what waits stays after `clear`, and goes with `clear({ waiting: true })`", async () => {
    const { workspace, say } = await makeWorld();
    await say("hi");
    await workspace.memories.clear();
    expect(await workspace.waiting.count()).toMatchObject({ messages: 2 });
    await workspace.memories.clear({ waiting: true });
    expect(await workspace.waiting.count()).toMatchObject({ messages: 0 });
  });

  it("a session that is removed meanwhile leaves nothing: no fact, no record, no message", async () => {
    const reply = JSON.stringify([
      { content: "from one", session: 1 },
      { content: "from two", session: 2 },
      { content: "from either" },
    ]);
    const world = await makeWorld({
      replies: [meanwhile(() => world.workspace.sessions.remove("one"), reply)],
    });
    await world.say("x", { session: "one" });
    await world.say("y", { session: "two" });
    await world.workspace.extractNow();
    expect(await world.contents()).toEqual(["from two"]);
    expect((await world.workspace.sessions.list()).map(({ sessionId }) => sessionId)).toEqual(["two"]);
  });

  it("what waits being cleared meanwhile takes what was learned from it too", async () => {
    const world = await makeWorld({
      replies: [meanwhile(() => world.workspace.waiting.clear(), fact("likes tea"))],
    });
    await world.say(longTalk);
    expect(await world.contents()).toEqual([]);
    // Its messages are marked as seen, and no cursor has moved.
    expect(await world.workspace.sessions.list()).toEqual([
      { sessionId: "s1", waiting: { characters: 0, messages: 0 } },
    ]);
  });
});

describe("the cursor is written after the memories are", () => {
  it("memories, then cursor, then the queue", async () => {
    const calls: string[] = [];
    const store = failingStore(new JsonMemoryStore({ dir: await temporaryFolder() }), (call) => {
      calls.push(call);
      return undefined;
    });
    const { say } = await makeWorld({ store, replies: [fact("A")] });
    await say(longTalk);
    const order = ["memories.change", "sessions.change", "waiting.remove"];
    expect(calls.filter((call) => order.includes(call))).toEqual(order);
  });

  it.each(["memories.change", "sessions.change", "waiting.remove", "extraction.change"])(
    "killed at %s: no fact is lost, none is stored twice, the cursor ends where it belongs",
    async (killedAt) => {
      const dir = await temporaryFolder();
      let isDead = false;
      const store = failingStore(new JsonMemoryStore({ dir }), (call) => {
        // From that step on nothing of this process is done any more.
        isDead ||= call === killedAt;
        return isDead ? new Error("killed") : undefined;
      });
      const first = await makeWorld({ store, replies: [fact("Likes tea")] });
      await first.workspace.recordTurn("s1", [
        { role: "user", content: longTalk, id: "u1" },
        { role: "assistant", content: "ok", id: "a1" },
      ]);
      await first.workspace.idle();

      const next = await makeWorld({ dir, replies: [fact("Likes tea")] });
      const { requests } = await next.workspace.extractNow();
      expect(requests).toBeLessThanOrEqual(1);
      expect(await next.contents()).toEqual(["Likes tea"]);
      expect(await next.workspace.waiting.count()).toMatchObject({ messages: 0 });
      expect((await sessionRecord(next.workspace.store))?.extractedUpTo).toBe("a1");
    },
  );

  it("重启应用后 extractedUpTo 从上次位置继续，不重复提取", async () => {
    const first = await makeWorld({ replies: [fact("Likes tea")] });
    const turn = (index: number) => [
      { role: "user", content: `${longTalk}${index}`, id: `u${index}` },
      { role: "assistant", content: "ok", id: `a${index}` },
    ];
    await first.workspace.recordTurn("s1", turn(1));
    await first.workspace.idle();
    expect((await sessionRecord(first.workspace.store))?.extractedUpTo).toBe("a1");

    const next = await makeWorld({ dir: first.dir });
    await next.workspace.recordTurn("s1", [...turn(1), ...turn(2)]);
    await next.workspace.idle();
    expect(readRequest(next.model).lines.map(({ content }) => content)).toEqual([`${longTalk}2`, "ok"]);
    await next.workspace.recordTurn("s1", turn(1));
    await next.workspace.extractNow();
    expect(next.model.requests).toHaveLength(1);
    expect((await sessionRecord(next.workspace.store))?.extractedUpTo).toBe("a2");
  });
});

describe("where saving failed the facts are kept and saved with the next attempt", () => {
  it("without a second call: memory.json can't be written, and then it can", async () => {
    const dir = await temporaryFolder();
    const path = join(dir, "memory", "memory.json");
    const { workspace, say, logger, model, contents } = await makeWorld({
      dir,
      replies: [
        async () => {
          await mkdir(path, { recursive: true });
          await writeFile(join(path, "in the way"), "");
          return fact("Likes tea");
        },
        "[]",
      ],
    });
    await say(longTalk);
    expect(model.requests).toHaveLength(1);
    expect(logger.errors).toHaveLength(1);
    expect(logger.errors[0]).toMatch(/could not be saved \(E[A-Z]+\); it is kept and saved later/);
    expect(logger.all).not.toMatch(/tea|talk/);
    expect((await sessionRecord(workspace.store))?.extractedUpTo).toBeUndefined();

    await rm(path, { recursive: true });
    await say("short");
    expect(model.requests).toHaveLength(1);
    expect(await contents()).toEqual(["Likes tea"]);
    // The new turn alone is below the trigger, so it waits.
    expect((await workspace.store.waiting.read()).map(({ text }) => text)).toEqual(["short", "ok"]);
    expect((await sessionRecord(workspace.store))?.extractedUpTo).toEqual(expect.any(String));
  });

  it("by `extractNow` too, which counts them", async () => {
    const dir = await temporaryFolder();
    let isFull = true;
    const store = failingStore(new JsonMemoryStore({ dir }), (call) =>
      isFull && call === "memories.change" ? diskError() : undefined,
    );
    const { workspace, logger } = await makeWorld({ store, replies: [fact("Likes tea")] });
    await workspace.recordTurn("s1", [
      ["human", "hi"],
      ["ai", "ok"],
    ]);
    expect(await workspace.extractNow()).toEqual({
      requests: 1,
      stored: 0,
      remaining: 2,
      failure: { reason: "saving failed" },
    });
    expect(await workspace.extractNow()).toMatchObject({ requests: 0, failure: { reason: "saving failed" } });
    expect(logger.errors).toEqual([
      "[cross-session-memory] what was learned could not be saved (ENOSPC); it is kept and saved later",
    ]);
    isFull = false;
    expect(await workspace.extractNow()).toEqual({ requests: 0, stored: 1, remaining: 0 });
  });

  it("the count is whole where only the cursor could not be written", async () => {
    const dir = await temporaryFolder();
    let isFull = true;
    const store = failingStore(new JsonMemoryStore({ dir }), (call) =>
      isFull && call === "sessions.change" ? diskError() : undefined,
    );
    const { workspace, contents } = await makeWorld({ store, replies: [fact("Likes tea")] });
    await workspace.recordTurn("s1", [
      ["human", "hi"],
      ["ai", "ok"],
    ]);
    await workspace.extractNow();
    expect(await contents()).toEqual(["Likes tea"]);
    isFull = false;
    expect(await workspace.extractNow()).toEqual({ requests: 0, stored: 1, remaining: 0 });
    expect(await contents()).toEqual(["Likes tea"]);
  });

  it("a `clear` while they are kept discards them", async () => {
    const dir = await temporaryFolder();
    let isFull = true;
    const store = failingStore(new JsonMemoryStore({ dir }), (call) =>
      isFull && call === "memories.change" ? diskError() : undefined,
    );
    const { workspace, contents } = await makeWorld({ store, replies: [fact("Likes tea")] });
    await workspace.recordTurn("s1", [
      ["human", "hi"],
      ["ai", "ok"],
    ]);
    await workspace.extractNow();
    await workspace.memories.clear();
    isFull = false;
    expect(await workspace.extractNow()).toMatchObject({ requests: 0, stored: 0, remaining: 0 });
    expect(await contents()).toEqual([]);
  });

  it("another process that took the same part meanwhile is not doubled", async () => {
    const dir = await temporaryFolder();
    let isFull = true;
    const store = failingStore(new JsonMemoryStore({ dir }), (call) =>
      isFull && call === "memories.change" ? diskError() : undefined,
    );
    const one = await makeWorld({ store, replies: [fact("Likes tea")] });
    await one.workspace.recordTurn("s1", [
      ["human", "hi"],
      ["ai", "ok"],
    ]);
    await one.workspace.extractNow();
    const other = await makeWorld({ dir, replies: [fact("Is fond of tea")] });
    await other.workspace.extractNow();
    isFull = false;
    await one.workspace.extractNow();
    expect(await one.contents()).toEqual(["Is fond of tea"]);
  });
});

describe("where the store can't be read", () => {
  it.each(["memories.read", "extraction.read", "waiting.read", "extraction.tryLease"])(
    "%s: no request is made, nothing moves, one warning",
    async (broken) => {
      const dir = await temporaryFolder();
      let isBroken = true;
      const store = failingStore(new JsonMemoryStore({ dir }), (call) =>
        isBroken && call === broken ? diskError("EIO") : undefined,
      );
      const { say, model, logger, contents } = await makeWorld({ store, replies: [fact("Likes tea")] });
      await say(longTalk);
      await say("x");
      expect(model.requests).toHaveLength(0);
      expect(logger.warnings.filter((line) => line.includes("extraction failed"))).toHaveLength(1);
      expect(logger.all).not.toMatch(/SECRETWORD|talk/);
      isBroken = false;
      await say("y");
      expect(await contents()).toEqual(["Likes tea"]);
    },
  );

  it("a lease that can't be given back does no harm", async () => {
    const inner = new JsonMemoryStore({ dir: await temporaryFolder() });
    const store = {
      ...failingStore(inner, () => undefined),
      extraction: {
        read: () => inner.extraction.read(),
        change: inner.extraction.change.bind(inner.extraction),
        tryLease: async () => ({ release: () => Promise.reject(diskError("EIO")) }),
      },
    };
    const { say, contents } = await makeWorld({ store, replies: [fact("A"), fact("B")] });
    await say(longTalk);
    await say(longTalk);
    expect(await contents()).toEqual(["A", "B"]);
  });
});
