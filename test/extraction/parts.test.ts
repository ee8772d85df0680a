import { describe, expect, it } from "vitest";
import { locales } from "../../src/locales/index.js";
import { codePointLength } from "../../src/text/index.js";
import { makeWorld, readRequest, sessionRecord } from "./world.js";

describe("提取触发条件：字符数不足 4000 时不触发", () => {
  it.each([
    [3999, 0],
    [4000, 1],
    [4001, 1],
  ])("%i 个字符", async (characters, requests) => {
    const { model, turnOf } = await makeWorld();
    await turnOf(characters);
    expect(model.requests).toHaveLength(requests);
  });

  it.each([
    [3999, 0],
    [4000, 1],
    [4001, 1],
  ])("%i characters are counted in code points: an emoji is one", async (characters, requests) => {
    const { model, say } = await makeWorld();
    await say("😀".repeat(characters - 2), { answer: "ok" });
    expect(model.requests).toHaveLength(requests);
  });

  it.each([
    [3999, 0],
    [4000, 1],
  ])("both roles count: %i characters, most of them the assistant's", async (characters, requests) => {
    const { model, say } = await makeWorld();
    await say("讲", { answer: "答".repeat(characters - 1) });
    expect(model.requests).toHaveLength(requests);
  });

  it("short turns and short sessions add up in the user's queue", async () => {
    const { model, turnOf } = await makeWorld();
    for (let session = 1; session <= 39; session++) await turnOf(100, `s${session}`);
    await turnOf(99, "s40");
    expect(model.requests).toHaveLength(0);
    await turnOf(3, "s41");
    expect(model.requests).toHaveLength(1);
    expect(readRequest(model).lines).toHaveLength(82);
  });

  it("after a rightful empty reply counting begins anew", async () => {
    const { model, turnOf } = await makeWorld();
    await turnOf(4001);
    expect(model.requests).toHaveLength(1);
    for (let turn = 0; turn < 10; turn++) await turnOf(50);
    expect(model.requests).toHaveLength(1);
    await turnOf(3600);
    expect(model.requests).toHaveLength(2);
  });
});

describe("parts of at most `extractionChunkChars`, oldest first", () => {
  it("each message goes once, in order, and a part is never over the chunk", async () => {
    const { workspace, model, say } = await makeWorld({
      extractionTriggerChars: 1000,
      extractionChunkChars: 1000,
    });
    for (let turn = 0; turn < 20; turn++) {
      await workspace.store.waiting.append([
        {
          entryId: `e${turn}`,
          session: "s1",
          id: `m${turn}`,
          role: "user",
          time: 0,
          text: `${turn}:${"x".repeat(300)}`,
        },
      ]);
    }
    await say("last");
    await workspace.extractNow();
    const parts = model.requests.map((_, index) =>
      readRequest(model, index).lines.map(({ content }) => String(content)),
    );
    const sent = parts.flat().map((text) => text.split(":")[0]);
    expect(sent).toEqual([...Array.from({ length: 20 }, (_, turn) => `${turn}`), "last", "ok"]);
    for (const part of parts) expect(codePointLength(part.join(""))).toBeLessThanOrEqual(1000);
    expect(parts.length).toBeGreaterThan(5);
  });

  it("exactly a chunk is one part", async () => {
    const { workspace, model } = await makeWorld({
      extractionTriggerChars: 1000,
      extractionChunkChars: 1000,
    });
    await workspace.store.waiting.append(
      [600, 400, 1].map((length, index) => ({
        entryId: `e${index}`,
        session: "s1",
        id: `m${index}`,
        role: "user" as const,
        time: 0,
        text: "x".repeat(length),
      })),
    );
    await workspace.extractNow();
    expect(model.requests.map((_, index) => readRequest(model, index).lines.length)).toEqual([2, 1]);
  });

  it.each(["zh-CN", "en"] as const)(
    "a longer message is cut in the middle, with a mark (%s)",
    async (locale) => {
      const { workspace, model, say } = await makeWorld({
        extractionTriggerChars: 500,
        extractionChunkChars: 500,
        locale,
      });
      await say(`BEGIN ${"😀".repeat(3000)} END`, { answer: "ok" });
      await workspace.extractNow();
      const [line] = readRequest(model, 0).lines;
      const content = String(line?.content);
      expect(content).toContain(locales[locale].extraction.cutMark);
      expect(content).toMatch(/^BEGIN 😀+/u);
      expect(content).toMatch(/😀+ END$/u);
      expect(codePointLength(content)).toBeLessThanOrEqual(500);
      expect(codePointLength(content)).toBeGreaterThan(490);
      expect(await workspace.waiting.count()).toEqual({ characters: 0, messages: 0, sessions: 0 });
    },
  );

  it("a message of marks that JSON escapes is cut so that its line stays within bounds", async () => {
    const { model, say } = await makeWorld({ extractionTriggerChars: 5000, extractionChunkChars: 5000 });
    await say("\u0001".repeat(20_000));
    expect(codePointLength(readRequest(model, 0).user)).toBeLessThan(5000 + 2000);
  });

  it("a part is what waits when the attempt starts: what comes meanwhile stays", async () => {
    let meanwhile = async () => {};
    const { workspace, turnOf } = await makeWorld({
      replies: [
        async () => {
          await meanwhile();
          return "[]";
        },
      ],
    });
    meanwhile = () =>
      workspace.recordTurn("s1", [
        ["human", "said meanwhile"],
        ["ai", "ok"],
      ]);
    await turnOf(4000);
    expect((await workspace.store.waiting.read()).map(({ text }) => text)).toEqual(["said meanwhile", "ok"]);
    expect(await workspace.waiting.count()).toEqual({ characters: 16, messages: 2, sessions: 1 });
  });

  it("the cursor is the id of the session's last message covered, for each session", async () => {
    const { workspace } = await makeWorld();
    await workspace.recordTurn("a", [
      { role: "user", content: "one", id: "u1" },
      { role: "assistant", content: "two", id: "a1" },
    ]);
    await workspace.recordTurn("b", [
      { role: "user", content: "three", id: "u2" },
      { role: "assistant", content: "four", id: "a2" },
    ]);
    expect((await sessionRecord(workspace.store, "a"))?.extractedUpTo).toBeUndefined();
    await workspace.extractNow("a");
    expect((await sessionRecord(workspace.store, "a"))?.extractedUpTo).toBe("a1");
    expect((await sessionRecord(workspace.store, "b"))?.extractedUpTo).toBeUndefined();
    await workspace.extractNow();
    expect((await sessionRecord(workspace.store, "b"))?.extractedUpTo).toBe("a2");
  });
});

describe("what waits", () => {
  it("beyond `maxWaitingChars` the oldest are passed over, with a warning that counts them", async () => {
    const { workspace, model, turnOf, logger } = await makeWorld({
      extractionTriggerChars: 1000,
      extractionChunkChars: 1000,
      maxWaitingChars: 3000,
      replies: [Object.assign(new Error("down"), { status: 503 })],
    });
    for (let turn = 0; turn < 8; turn++) await turnOf(700);
    const { characters } = await workspace.waiting.count();
    expect(characters).toBeLessThanOrEqual(3000);
    expect(characters).toBeGreaterThan(2000);
    expect(logger.warnings.filter((line) => line.includes("passed over"))[0]).toMatch(
      /maxWaitingChars \(3000\).*oldest 1 messages/,
    );
    expect(model.requests.length).toBeGreaterThan(0);
  });
});
