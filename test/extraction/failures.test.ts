import { AIMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { failureOf } from "../../src/memory/extraction/failure.js";
import { providerError, type ScriptedReply } from "../support/scripted-model.js";
import { fact, longTalk, makeWorld, readRequest, sessionRecord } from "./world.js";

const cutOff = () => new AIMessage({ content: fact("A"), response_metadata: { finish_reason: "length" } });

/** What ends an attempt, and whether it is for what the part holds. */
const failures: [string, ScriptedReply, { reason: string; status?: number }, boolean][] = [
  ["not JSON", "No new facts.", { reason: "not JSON" }, true],
  ["a refusal", "I cannot help with that.", { reason: "not JSON" }, true],
  ["an empty reply", "", { reason: "not JSON" }, true],
  ["cut off", cutOff(), { reason: "cut off" }, true],
  [
    "400",
    providerError(400, "prompt too long: SECRETWORD"),
    { reason: "status 400, Error", status: 400 },
    true,
  ],
  ["413", providerError(413, "SECRETWORD"), { reason: "status 413, Error", status: 413 }, true],
  ["401", providerError(401, "SECRETWORD"), { reason: "status 401, Error", status: 401 }, false],
  ["403", providerError(403, "SECRETWORD"), { reason: "status 403, Error", status: 403 }, false],
  ["404", providerError(404, "SECRETWORD"), { reason: "status 404, Error", status: 404 }, false],
  ["429", providerError(429, "SECRETWORD"), { reason: "status 429, Error", status: 429 }, false],
  ["500", providerError(500, "SECRETWORD"), { reason: "status 500, Error", status: 500 }, false],
  ["503", providerError(503, "SECRETWORD"), { reason: "status 503, Error", status: 503 }, false],
  [
    "a network error",
    Object.assign(new TypeError("fetch failed SECRETWORD"), { code: "ECONNRESET" }),
    { reason: "TypeError" },
    false,
  ],
  ["no reason at all", () => Promise.reject(undefined), { reason: "Error" }, false],
  ["a string as the reason", () => Promise.reject("SECRETWORD"), { reason: "Error" }, false],
  [
    "a throw before the call",
    () => {
      throw new RangeError("SECRETWORD");
    },
    { reason: "RangeError" },
    false,
  ],
];

describe("a failed attempt", () => {
  it.each(failures)(
    "%s: nothing moves, the turn is untouched, one warning without content",
    async (_, reply, failure) => {
      const { workspace, say, logger, contents, model } = await makeWorld({
        replies: [reply, reply, fact("Has two cats")],
      });
      await say(longTalk);
      await say("more");
      expect(logger.warnings).toEqual([
        `[cross-session-memory] extraction failed (${failure.reason}); what waits is kept for the next try`,
      ]);
      expect(logger.all).not.toContain("SECRETWORD");
      expect(logger.all).not.toContain("talk");
      expect((await sessionRecord(workspace.store))?.extractedUpTo).toBeUndefined();
      expect(readRequest(model).lines).toHaveLength(4);
      await say("and more");
      expect(readRequest(model).lines).toHaveLength(6);
      expect(await contents()).toEqual(["Has two cats"]);
      const last = (await sessionRecord(workspace.store))?.extractedUpTo;
      expect(last).toEqual(expect.any(String));
      expect(await workspace.waiting.count()).toMatchObject({ messages: 0 });
    },
  );

  it.each(failures)("%s: `extractNow` gives the reason", async (_, reply, failure) => {
    const { workspace } = await makeWorld({ replies: [reply] });
    await workspace.recordTurn("s1", [
      ["human", "hi"],
      ["ai", "ok"],
    ]);
    expect(await workspace.extractNow()).toEqual({ requests: 1, stored: 0, remaining: 2, failure });
  });

  it("a cause that has worked again is said again", async () => {
    const { say, logger } = await makeWorld({
      replies: [providerError(503), "[]", providerError(503), providerError(429)],
    });
    for (let turn = 0; turn < 4; turn++) await say(longTalk);
    expect(logger.warnings.map((line) => /status \d+/.exec(line)?.[0])).toEqual([
      "status 503",
      "status 503",
      "status 429",
    ]);
  });

  it("four extractions in turn over the same turns: 429, refusal, cut JSON, and then one that works", async () => {
    const { workspace, say, contents, model, logger } = await makeWorld({
      replies: [
        providerError(429),
        "I cannot help with that.",
        '[{"content":"Speaks Finnish"},{"content":"Has allerg',
        fact("Has two cats"),
      ],
    });
    await say(`${longTalk}T`);
    for (let turn = 0; turn < 2; turn++) await say("x");
    expect((await sessionRecord(workspace.store))?.extractedUpTo).toBeUndefined();
    for (const [index] of model.requests.entries())
      expect(readRequest(model, index).user).toContain(`${longTalk}T`);
    await say("x");
    expect(await contents()).toEqual(["Has two cats"]);
    expect((await sessionRecord(workspace.store))?.extractedUpTo).toEqual(expect.any(String));
    expect(await workspace.waiting.count()).toMatchObject({ messages: 0 });
    // "Not JSON" is one cause for the refusal and the cut reply.
    expect(logger.warnings).toHaveLength(2);
  });
});

describe("failure classification", () => {
  it.each<[string, unknown, boolean]>([
    ["status", { status: 400 }, true],
    ["statusCode", { statusCode: 413 }, true],
    ["the response's status", { response: { status: 400 } }, true],
    ["a numeric code", { code: 400 }, true],
    ["a code in digits", { code: "413" }, true],
    ["a length error by its name", Object.assign(new Error(), { name: "LengthFinishReasonError" }), true],
    [
      "a content filter by its name",
      Object.assign(new Error(), { name: "ContentFilterFinishReasonError" }),
      true,
    ],
    ["a context overflow by its name", Object.assign(new Error(), { name: "ContextOverflowError" }), true],
    ["429 with a code", { status: 429, code: "insufficient_quota" }, false],
    ["a system's code", { code: "ECONNREFUSED" }, false],
    ["a status out of range", { status: 0 }, false],
    ["null", null, false],
    ["nothing", undefined, false],
    ["an abort", Object.assign(new Error(), { name: "AbortError" }), false],
    ["408", { status: 408 }, false],
    ["529", { status: 529 }, false],
  ])("%s", (_, error, ofContent) => {
    expect(failureOf(error).ofContent).toBe(ofContent);
  });

  it("never holds the error's words", () => {
    const error = Object.assign(new Error("the user said SECRETWORD"), {
      status: 400,
      name: "my SECRETWORD is",
    });
    expect(JSON.stringify(failureOf(error))).not.toContain("SECRETWORD");
  });
});

/** A model that refuses whatever holds the poison, and learns one fact of everything else. */
const refusesPoison: ScriptedReply = (messages) => {
  const text = String(messages.at(-1)?.content);
  if (text.includes("POISON")) return "I cannot help with that.";
  return JSON.stringify(Array.from(text.matchAll(/good \d+/g), ([content]) => ({ content })));
};

async function queue(world: Awaited<ReturnType<typeof makeWorld>>, texts: readonly string[]) {
  await world.workspace.store.waiting.append(
    texts.map((text, index) => ({
      entryId: `e${index}`,
      session: "s1",
      id: `m${index}`,
      role: "user" as const,
      time: 0,
      text,
    })),
  );
}

describe("a part that fails three times for what it holds is halved, and so is the list of known memories", () => {
  it("until the single message that still fails is passed over, with a warning that names its id", async () => {
    const world = await makeWorld({ replies: [refusesPoison] });
    await queue(world, ["good 1", "good 2", "POISON", "good 3", "good 4", "good 5", "good 6", "good 7"]);
    let calls = 0;
    while ((await world.workspace.waiting.count()).messages > 0 && calls < 40) {
      await world.workspace.extractNow();
      calls++;
    }
    expect(await world.contents()).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => `good ${number}`));
    expect(world.logger.warnings.filter((line) => line.includes("passed over"))).toEqual([
      '[cross-session-memory] message "m2" of session "s1" was passed over: the extraction failed 3 times on it alone',
    ]);
    expect(world.logger.all).not.toContain("POISON");
    expect(await world.workspace.store.extraction.read()).toMatchObject({ contentFailures: 0 });
  });

  it("one half after three failures, not earlier, and not for a passing failure in between", async () => {
    const world = await makeWorld({
      replies: ["no", "no", providerError(503), providerError(429), "no", "[]"],
    });
    await queue(world, ["a", "b", "c", "d", "e"]);
    for (let call = 0; call < 6; call++) await world.workspace.extractNow();
    const sizes = world.model.requests.map((_, index) => readRequest(world.model, index).lines.length);
    expect(sizes.slice(0, 6)).toEqual([5, 5, 5, 5, 5, 3]);
    // After a success parts grow again.
    expect(sizes.slice(6)).toEqual([2]);
  });

  it("401, 403, 429, 5xx, a time-out and the network halve nothing, however often", async () => {
    const world = await makeWorld({
      replies: [
        ...[401, 403, 429, 500, 502, 503].map((status) => providerError(status)),
        new TypeError("fetch failed"),
      ],
    });
    await queue(world, ["a", "b", "c", "d"]);
    for (let call = 0; call < 12; call++) await world.workspace.extractNow();
    const sizes = world.model.requests.map((_, index) => readRequest(world.model, index).lines.length);
    expect(new Set(sizes)).toEqual(new Set([4]));
    expect((await world.workspace.waiting.count()).messages).toBe(4);
  });

  it("the list of known memories is halved too", async () => {
    const world = await makeWorld({ extractionKnownChars: 1000, replies: [providerError(400, "too long")] });
    for (let index = 0; index < 8; index++) await world.workspace.memories.add(`${index} ${"x".repeat(100)}`);
    await queue(world, ["a", "b", "c", "d", "e", "f", "g", "h"]);
    const known: number[] = [];
    for (let call = 0; call < 7; call++) {
      await world.workspace.extractNow();
      known.push(readRequest(world.model).known?.length ?? 0);
    }
    expect(known).toEqual([8, 8, 8, 4, 4, 4, 2]);
  });

  it("the count of failures outlives the process", async () => {
    const first = await makeWorld({ replies: ["no"] });
    await queue(first, ["a", "b"]);
    const sizes: number[] = [];
    for (let call = 0; call < 7; call++) {
      const world = await makeWorld({ dir: first.dir, replies: ["no"] });
      await world.workspace.recordTurn("s2", []);
      await world.workspace.extractNow();
      sizes.push(readRequest(world.model).lines.length);
    }
    expect(sizes).toEqual([2, 2, 2, 1, 1, 1, 1]);
    expect((await first.workspace.store.waiting.read()).map(({ id }) => id)).toEqual(["m1"]);
  });

  it("another part's failures are not its own: no message is passed over before it failed three times alone", async () => {
    const world = await makeWorld({ replies: ["no"] });
    await queue(world, ["POISON"]);
    await world.workspace.extractNow();
    await world.workspace.extractNow();
    await world.workspace.waiting.clear();
    await world.workspace.store.waiting.append([
      { entryId: "another", session: "s2", id: "m1", role: "user", time: 0, text: "good 1" },
    ]);
    await world.workspace.extractNow();
    await world.workspace.extractNow();
    expect((await world.workspace.waiting.count()).messages).toBe(1);
    await world.workspace.extractNow();
    expect((await world.workspace.waiting.count()).messages).toBe(0);
  });

  it("a message that was passed over does not come back with a resumed turn", async () => {
    const world = await makeWorld({ replies: ["no"] });
    const user = { role: "user", content: "POISON", id: "u1" };
    await world.workspace.recordTurn("s1", [user, { role: "assistant", content: "", id: "a1" }]);
    for (let call = 0; call < 3; call++) await world.workspace.extractNow();
    expect(await world.workspace.waiting.count()).toMatchObject({ messages: 0 });
    await world.workspace.recordTurn("s1", [user, { role: "assistant", content: "again", id: "a2" }]);
    expect((await world.workspace.store.waiting.read()).map(({ text }) => text)).toEqual(["again"]);
  });

  it("20 turns of 429, each past the trigger, are one request each, none longer for what has gathered", async () => {
    const { turnOf, model } = await makeWorld({ replies: [providerError(429)] });
    for (let turn = 1; turn <= 20; turn++) {
      await turnOf(4000);
      expect(model.requests).toHaveLength(turn);
    }
    const sizes = model.requests.map((_, index) => readRequest(model, index).user.length);
    expect(Math.max(...sizes)).toBeLessThan(24_000 + 4000);
  });

  it("a prompt that is too long shrinks and is never stuck: 20 turns of 400", async () => {
    const { workspace, turnOf, model } = await makeWorld({
      replies: [providerError(400, "prompt too long")],
    });
    for (let turn = 0; turn < 20; turn++) await turnOf(4000);
    expect(model.requests).toHaveLength(20);
    const sizes = model.requests.map((_, index) => readRequest(model, index).user.length);
    expect(Math.max(...sizes)).toBeLessThan(24_000 + 4000);
    expect(sizes.at(-1)).toBeLessThan(9000);
    expect((await workspace.waiting.count()).messages).toBeLessThan(40);
  });
});

describe("nothing of it reaches the process", () => {
  it("a logger that throws breaks neither the turn nor the next extraction", async () => {
    const { workspace, model } = await makeWorld({
      replies: [providerError(500), fact("A")],
      logger: {
        warn: () => {
          throw new Error("broken logger");
        },
        error: () => {
          throw new Error("broken logger");
        },
      },
    });
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", listen);
    for (let turn = 0; turn < 2; turn++) {
      await workspace.recordTurn("s1", [
        ["human", longTalk],
        ["ai", "ok"],
      ]);
      await workspace.idle();
    }
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", listen);
    expect(unhandled).toEqual([]);
    expect(model.requests).toHaveLength(2);
    expect(await workspace.memories.list()).toHaveLength(1);
  });

  it("an attempt that takes longer than `extractionTimeoutMs` fails, and a late answer is nothing", async () => {
    let answer = (_: string) => {};
    const late = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const { workspace, contents } = await makeWorld({ extractionTimeoutMs: 50, replies: [() => late, "[]"] });
    await workspace.recordTurn("s1", [
      ["human", "hi"],
      ["ai", "ok"],
    ]);
    expect(await workspace.extractNow()).toEqual({
      requests: 1,
      stored: 0,
      remaining: 2,
      failure: { reason: "time-out" },
    });
    answer(fact("too late"));
    await workspace.extractNow();
    expect(await contents()).toEqual([]);
  });
});
