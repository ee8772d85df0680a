import { describe, expect, it, vi } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { ExtractionSchedule } from "../../src/memory/extraction/schedule.js";
import { providerError, ScriptedModel } from "../support/scripted-model.js";
import { deferred, fact, longTalk, makeWorld, readRequest } from "./world.js";

/** Long enough that two such turns are two parts of `extractionChunkChars: 4000`. */
const turnLength = 4000;

describe("each completed turn allows one extraction attempt, never more", () => {
  it("a turn of many parts is one request", async () => {
    const { model, turnOf, workspace } = await makeWorld({ extractionChunkChars: 4000 });
    await workspace.store.waiting.append(
      Array.from({ length: 5 }, (_, index) => ({
        entryId: `${index}`,
        session: "s0",
        id: `${index}`,
        role: "user" as const,
        time: 0,
        text: "x".repeat(4000),
      })),
    );
    await turnOf(10);
    expect(model.requests).toHaveLength(1);
    await turnOf(10);
    expect(model.requests).toHaveLength(2);
  });

  it("a turn that is not completed, empty or known allows none", async () => {
    const { model, workspace } = await makeWorld();
    await workspace.store.waiting.append([
      { entryId: "1", session: "s0", id: "1", role: "user", time: 0, text: "x".repeat(5000) },
    ]);
    for (const turn of [
      [["human", "unanswered"]],
      [],
      [["system", "x"]],
      [
        ["human", ""],
        ["ai", " "],
      ],
    ]) {
      await workspace.recordTurn("s1", turn);
      await workspace.idle();
    }
    expect(model.requests).toHaveLength(0);
    const turn = [
      { role: "user", content: "a", id: "u" },
      { role: "assistant", content: "b", id: "a" },
    ];
    await workspace.recordTurn("s1", turn);
    await workspace.idle();
    expect(model.requests).toHaveLength(1);
    await workspace.recordTurn("s1", turn);
    await workspace.idle();
    expect(model.requests).toHaveLength(1);
  });

  it("the model's own retries are its own: a failing attempt is one request", async () => {
    const { model, turnOf } = await makeWorld({ replies: [providerError(429)] });
    for (let turn = 0; turn < 20; turn++) await turnOf(turnLength);
    expect(model.requests).toHaveLength(20);
  });
});

describe("a turn that completes during a run leaves its permit", () => {
  it("the next part goes when the running one has ended and 4000 still wait", async () => {
    const first = deferred();
    const { model, turnOf, workspace } = await makeWorld({
      extractionChunkChars: 4000,
      replies: [() => first.promise.then(() => "[]"), "[]"],
    });
    const running = turnOf(turnLength);
    await expect.poll(() => model.requests.length).toBe(1);
    await workspace.recordTurn("s2", [
      ["human", longTalk],
      ["ai", "ok"],
    ]);
    await workspace.recordTurn("s3", [
      ["human", "short"],
      ["ai", "ok"],
    ]);
    expect(model.requests).toHaveLength(1);
    first.resolve();
    await running;
    expect(model.requests).toHaveLength(2);
    // Two permits were left, but less than 4000 wait.
    expect((await workspace.waiting.count()).characters).toBeGreaterThan(0);
    expect(readRequest(model).lines).toHaveLength(1);
  });

  it("nothing goes where less than 4000 wait then", async () => {
    const first = deferred();
    const { model, turnOf, workspace } = await makeWorld({
      replies: [() => first.promise.then(() => "[]"), "[]"],
    });
    const running = turnOf(turnLength);
    await expect.poll(() => model.requests.length).toBe(1);
    await workspace.recordTurn("s2", [
      ["human", "short"],
      ["ai", "ok"],
    ]);
    first.resolve();
    await running;
    expect(model.requests).toHaveLength(1);
  });

  it("a failure uses up all permits: the next try is after the next completed turn", async () => {
    const first = deferred();
    const { model, turnOf, workspace } = await makeWorld({
      replies: [() => first.promise.then(() => Promise.reject(providerError(503))), "[]"],
    });
    const running = turnOf(turnLength);
    await expect.poll(() => model.requests.length).toBe(1);
    for (let turn = 0; turn < 3; turn++)
      await workspace.recordTurn("s2", [
        ["human", longTalk],
        ["ai", "ok"],
      ]);
    first.resolve();
    await running;
    expect(model.requests).toHaveLength(1);
    await turnOf(10);
    expect(model.requests).toHaveLength(2);
  });

  it("the permits alone: one each, none left over", async () => {
    const attempts: string[] = [];
    const gate = deferred();
    const schedule = new ExtractionSchedule({
      isDue: async () => true,
      attempt: async () => {
        attempts.push("attempt");
        if (attempts.length === 1) await gate.promise;
        return "done";
      },
    });
    const all = [schedule.turnCompleted(), schedule.turnCompleted(), schedule.turnCompleted()];
    gate.resolve();
    await Promise.all(all);
    expect(attempts).toHaveLength(3);
    await schedule.turnCompleted();
    expect(attempts).toHaveLength(4);
  });

  it("a schedule whose work rejects goes on with the next turn", async () => {
    let attempts = 0;
    const schedule = new ExtractionSchedule({
      isDue: async () => true,
      attempt: async () => {
        attempts++;
        if (attempts === 1) throw new Error("broken");
        return "done";
      },
    });
    await expect(schedule.turnCompleted()).rejects.toThrow("broken");
    await schedule.turnCompleted();
    expect(attempts).toBe(2);
  });
});

describe("one at a time for each user, also across processes", () => {
  it("a second workspace on the same folder waits for the first, and then asks nothing again", async () => {
    const first = deferred();
    const one = await makeWorld({ replies: [() => first.promise.then(() => fact("Likes tea"))] });
    const other = await makeWorld({ dir: one.dir, replies: ["[]"] });
    const running = one.turnOf(turnLength);
    await expect.poll(() => one.model.requests.length).toBe(1);
    const tryLease = vi.spyOn(other.workspace.store.extraction, "tryLease");
    await other.workspace.recordTurn("s2", [
      ["human", "words of the other"],
      ["ai", "ok"],
    ]);
    const now = other.workspace.extractNow();
    await expect.poll(() => tryLease.mock.calls.length).toBeGreaterThan(1);
    expect(other.model.requests).toHaveLength(0);
    first.resolve();
    await Promise.all([running, now]);
    // What the first took is not asked for again; `extractNow` asked for the other turn.
    expect(other.model.requests.map((_, index) => readRequest(other.model, index).lines.length)).toEqual([2]);
    expect(await other.contents()).toEqual(["Likes tea"]);
    expect(await one.workspace.waiting.count()).toMatchObject({ messages: 0 });
  });

  it("the permit of a turn that found another process at it holds: the rest goes when that has ended", async () => {
    const first = deferred();
    const one = await makeWorld({ replies: [() => first.promise.then(() => "[]")] });
    const other = await makeWorld({ dir: one.dir });
    const running = one.turnOf(turnLength);
    await expect.poll(() => one.model.requests.length).toBe(1);
    const waiting = other.turnOf(turnLength, "s2");
    first.resolve();
    await Promise.all([running, waiting]);
    expect(other.model.requests).toHaveLength(1);
    expect(readRequest(other.model).lines).toHaveLength(2);
  });

  it("another process that never ends is waited for as long as an attempt may take", async () => {
    const one = await makeWorld();
    const lease = await one.workspace.store.extraction.tryLease();
    const other = await makeWorld({ dir: one.dir, extractionTimeoutMs: 300 });
    await other.workspace.recordTurn("s1", [
      ["human", "hi"],
      ["ai", "ok"],
    ]);
    expect(await other.workspace.extractNow()).toEqual({
      requests: 0,
      stored: 0,
      remaining: 2,
      failure: { reason: "another process is extracting" },
    });
    await lease?.release();
    expect(await other.workspace.extractNow()).toEqual({ requests: 1, stored: 0, remaining: 0 });
  });

  it("users don't wait for each other, and no more than `maxConcurrentExtractions` run at once", async () => {
    const gate = deferred();
    let running = 0;
    let most = 0;
    const world = await makeWorld({
      maxConcurrentExtractions: 2,
      replies: [
        async () => {
          running++;
          most = Math.max(most, running);
          await gate.promise;
          running--;
          return "[]";
        },
      ],
    });
    for (const user of ["a", "b", "c"]) {
      await world.workspace.forUser(user).recordTurn("s", [
        ["human", longTalk],
        ["ai", "ok"],
      ]);
    }
    await expect.poll(() => world.model.requests.length).toBe(2);
    gate.resolve();
    await world.workspace.idle();
    expect(world.model.requests).toHaveLength(3);
    expect(most).toBe(2);
  });
});

describe("all in the background", () => {
  it("`recordTurn` resolves while the model is still asked; `idle` waits for it", async () => {
    const gate = deferred();
    const { workspace, model, contents } = await makeWorld({
      replies: [() => gate.promise.then(() => fact("Likes tea"))],
    });
    await workspace.recordTurn("s1", [
      ["human", longTalk],
      ["ai", "ok"],
    ]);
    await expect.poll(() => model.requests.length).toBe(1);
    expect(await contents()).toEqual([]);
    let isIdle = false;
    const idle = workspace.idle().then(() => {
      isIdle = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isIdle).toBe(false);
    gate.resolve();
    await idle;
    expect(await contents()).toEqual(["Likes tea"]);
  });

  it("`idle` resolves at once where there is nothing to do", async () => {
    const { workspace } = await makeWorld();
    await workspace.idle();
  });

  it("after `close` turns are recorded and none is extracted", async () => {
    const { workspace, model } = await makeWorld();
    await workspace.close();
    await workspace.recordTurn("s1", [
      ["human", longTalk],
      ["ai", "ok"],
    ]);
    await workspace.idle();
    expect(model.requests).toHaveLength(0);
    expect(await workspace.waiting.count()).toMatchObject({ messages: 2 });
  });

  it("what waited when the process ended goes in the next process, once", async () => {
    const one = await makeWorld();
    await one.turnOf(3000);
    const next = await makeWorld({ dir: one.dir });
    await next.turnOf(1000, "s2");
    expect(next.model.requests).toHaveLength(1);
    expect(readRequest(next.model).lines).toHaveLength(4);
    const third = await makeWorld({ dir: one.dir });
    await third.turnOf(1000, "s3");
    expect(third.model.requests).toHaveLength(0);
  });
});

describe("`idleExtraction`", () => {
  const idleExtraction = { afterMs: 60_000, minChars: 500 };

  it("is off by default", async () => {
    const { model, turnOf, clock } = await makeWorld();
    await turnOf(3000, "still");
    clock.advance(1e9);
    await turnOf(10, "active");
    expect(model.requests).toHaveLength(0);
  });

  it("at a completed turn, what waits from sessions that have been still for `afterMs` goes too", async () => {
    const { model, turnOf, clock, workspace } = await makeWorld({ idleExtraction });
    await turnOf(300, "still 1");
    await turnOf(200, "still 2");
    clock.advance(30_001);
    await turnOf(400, "active");
    clock.advance(29_998);
    await turnOf(10, "active");
    expect(model.requests).toHaveLength(0);
    clock.advance(1);
    await turnOf(10, "active");
    expect(readRequest(model).lines).toHaveLength(4);
    expect([...(await workspace.store.waiting.totals()).keys()]).toEqual(["active"]);
  });

  it("from `minChars` on", async () => {
    const { model, turnOf, clock } = await makeWorld({ idleExtraction });
    await turnOf(499, "still");
    clock.advance(60_000);
    await turnOf(10, "active");
    expect(model.requests).toHaveLength(0);
  });

  it("under the same permits: a failure is not tried again before the next turn", async () => {
    const { model, turnOf, clock } = await makeWorld({ idleExtraction, replies: [providerError(500), "[]"] });
    await turnOf(600, "still");
    clock.advance(60_000);
    await turnOf(10, "active");
    expect(model.requests).toHaveLength(1);
    await turnOf(10, "active");
    expect(model.requests).toHaveLength(2);
  });
});

describe("which model extracts", () => {
  it("without any: one warning, nothing queued", async () => {
    const world = await makeWorld();
    const workspace = new MemoryWorkspace({ dir: world.dir, logger: world.logger });
    for (let turn = 0; turn < 3; turn++)
      await workspace.recordTurn("s1", [
        ["human", longTalk],
        ["ai", "ok"],
      ]);
    expect(world.logger.warnings).toHaveLength(1);
    expect(await workspace.waiting.count()).toMatchObject({ messages: 0 });
    expect(await workspace.extractNow()).toMatchObject({ requests: 0, failure: { reason: "no model" } });
  });

  it("that of the turn where the workspace has none, and the latest of them", async () => {
    const world = await makeWorld();
    const workspace = new MemoryWorkspace({ dir: world.dir, logger: world.logger });
    const [first, second] = [new ScriptedModel("[]"), new ScriptedModel("[]")];
    for (const model of [first, second]) {
      await workspace.recordTurn(
        "s1",
        [
          ["human", longTalk],
          ["ai", "ok"],
        ],
        { model },
      );
      await workspace.idle();
    }
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
  });

  it("the workspace's own before that of the turn", async () => {
    const { workspace, model } = await makeWorld();
    const other = new ScriptedModel("[]");
    await workspace.recordTurn(
      "s1",
      [
        ["human", longTalk],
        ["ai", "ok"],
      ],
      { model: other },
    );
    await workspace.idle();
    expect([model.requests.length, other.requests.length]).toEqual([1, 0]);
  });
});
