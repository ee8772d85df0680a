import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { InMemoryStore } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { JsonMemoryStore, LangGraphMemoryStore, type MemoryItem, type MemoryStore } from "../../src/index.js";
import { locales } from "../../src/locales/index.js";
import { readReply } from "../../src/memory/extraction/reply.js";
import { startModelServer } from "../support/model-server.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { diskError, failingStore } from "./failing-store.js";
import { learnedItem, numberedLines, put } from "./learned.js";
import { deferred, fact, longTalk, makeWorld, readRequest } from "./world.js";

const homes: [string, () => MemoryStore | undefined][] = [
  ["files", () => undefined],
  ["LangGraph store", () => new LangGraphMemoryStore(new InMemoryStore() as never)],
];

function reply(...facts: readonly [content: string, ...numbers: number[]][]): string {
  return JSON.stringify(facts.map(([content, ...replaces]) => ({ content, replaces })));
}

/** Memories 1 to `count`, all of them learned, so that a fifth of them may be replaced. */
function learnedItems(count: number): MemoryItem[] {
  return Array.from({ length: count }, (_, index) => learnedItem(index + 1));
}

describe("without `consolidate` nothing is replaced", () => {
  it("the request is what it was, and what a reply says of replacing is not heard", async () => {
    const { workspace, model, say, contents } = await makeWorld({ replies: [reply(["new", 1])] });
    await put(workspace, learnedItem(1), learnedItem(2));
    await say(longTalk);
    expect(readRequest(model).system).toBe(locales["zh-CN"].extraction.instruction);
    expect(readRequest(model).known).toEqual(["fact 1", "fact 2"]);
    expect(await contents()).toEqual(["fact 1", "fact 2", "new"]);
    expect(await workspace.memories.history()).toEqual([]);
  });
});

describe("with `consolidate` the extractor sees numbered memories", () => {
  it.each(["zh-CN", "en"] as const)("and is told what the numbers are for (%s)", async (locale) => {
    const { workspace, model, say } = await makeWorld({ consolidate: true, locale });
    await put(workspace, learnedItem(1), learnedItem(2));
    await say(longTalk);
    const { instruction, replacing, knownHeading } = locales[locale].extraction;
    expect(readRequest(model).system).toBe(`${instruction}\n\n${replacing}`);
    expect(replacing).toMatch(/number[\s\S]*replaces/);
    expect(replacing).toContain(knownHeading);
    expect(numberedLines(model)).toEqual([
      { number: 1, content: "fact 1" },
      { number: 2, content: "fact 2" },
    ]);
  });

  it("those that a person wrote, corrected or pinned bear no number", async () => {
    const { workspace, model, say } = await makeWorld({ consolidate: true });
    await put(workspace, learnedItem(1), learnedItem(2), learnedItem(3), learnedItem(4));
    await workspace.memories.update("id-1", "corrected");
    await workspace.memories.setPinned("id-2", true);
    await workspace.memories.add("written");
    await workspace.memories.add("fact 3");
    await say(longTalk);
    expect(numberedLines(model)).toEqual([
      { content: "corrected" },
      { content: "fact 2" },
      { content: "fact 3" },
      { number: 4, content: "fact 4" },
      { content: "written" },
    ]);
  });

  it("within `extractionKnownChars`, numbers and all; a number that was not sent replaces nothing", async () => {
    const line = JSON.stringify({ number: 3, content: "fact 3" });
    const { workspace, model, say, contents } = await makeWorld({
      consolidate: true,
      extractionKnownChars: 2 * line.length + 3,
      replies: [reply(["new", 1, 2, 9])],
    });
    await put(workspace, ...learnedItems(3));
    await say(longTalk);
    expect(numberedLines(model).map(({ number }) => number)).toEqual([2, 3]);
    expect(await contents()).toEqual(["fact 1", "fact 3", "new"]);
  });
});

describe.each(homes)("what a new fact replaces (%s)", (_, home) => {
  const world = (...replies: (string | (() => Promise<string>))[]) =>
    makeWorld({ consolidate: true, store: home(), replies });

  it("leaves list and prompt, and is seen in the history with when and by what", async () => {
    const { workspace, say, contents, clock } = await world(reply(["lives in Lyon", 1, 2]));
    await put(workspace, ...learnedItems(3));
    await say(longTalk);
    expect(await contents()).toEqual(["fact 3", "lives in Lyon"]);
    const { text } = await workspace.assembleContext();
    expect(text).toContain("lives in Lyon");
    expect(text).not.toMatch(/fact [12]/);
    const [, lyon] = await workspace.memories.list();
    expect(await workspace.memories.history()).toEqual(
      [1, 2].map((number) => ({
        ...learnedItem(number),
        replacedAt: clock.time,
        replacedBy: lyon?.id,
      })),
    );
  });

  it("comes back by `restore`, as the newest, and no model replaces it again; the new one stays", async () => {
    const { workspace, say, contents, model, clock } = await world(
      reply(["lives in Lyon", 1]),
      reply(["lives in Nice", 1, 2, 3]),
    );
    await put(workspace, ...learnedItems(2));
    await say(longTalk);
    clock.advance(1000);
    const { source, ...others } = learnedItem(1);
    const expected = {
      ...others,
      createdAt: clock.time,
      source: { ...source, byHandAt: clock.time },
    };
    expect(await workspace.memories.restore("id-1")).toEqual(expected);
    expect(await contents()).toEqual(["fact 2", "lives in Lyon", "fact 1"]);
    expect(await workspace.memories.history()).toEqual([]);
    await say(longTalk);
    expect(numberedLines(model).map(({ number }) => number)).toEqual([1, 2, undefined]);
    expect(await contents()).toEqual(["fact 1", "lives in Nice"]);
    await expect(workspace.memories.restore("id-1")).rejects.toMatchObject({ code: "ERR_MEMORY_NOT_FOUND" });
  });

  it("comes back into a full store without being the first to go", async () => {
    const { workspace, say, contents } = await world(reply(["new", 1]));
    await workspace.settings.update({ aiMemoryLimit: 10 });
    await put(workspace, ...learnedItems(10));
    await say(longTalk);
    expect(await contents()).toHaveLength(10);
    await workspace.memories.restore("id-1");
    expect(await contents()).toEqual([
      ...[3, 4, 5, 6, 7, 8, 9, 10].map((number) => `fact ${number}`),
      "new",
      "fact 1",
    ]);
  });

  it("goes for good with what took its place, by way of others too, and is not learned again", async () => {
    const { workspace, say, contents, clock } = await world(
      reply(["lives in Lyon", 1]),
      reply(["lives in Nice", 1]),
      fact("fact 1"),
    );
    await put(workspace, learnedItem(1));
    await say(longTalk);
    await say(longTalk);
    expect(await contents()).toEqual(["lives in Nice"]);
    expect((await workspace.memories.history()).map(({ content }) => content)).toEqual([
      "fact 1",
      "lives in Lyon",
    ]);
    await say("said before the deletion");
    clock.advance(1000);
    const [nice] = await workspace.memories.list();
    expect(await workspace.memories.remove(nice?.id ?? "")).toBe(true);
    expect(await workspace.memories.history()).toEqual([]);
    await workspace.extractNow();
    expect(await contents()).toEqual([]);
  });

  it("is deleted by its own id, too", async () => {
    const { workspace, say, contents } = await world(reply(["lives in Lyon", 1]));
    await put(workspace, learnedItem(1));
    await say(longTalk);
    expect(await workspace.memories.remove("id-1")).toBe(true);
    expect(await workspace.memories.remove("id-1")).toBe(false);
    expect(await workspace.memories.history()).toEqual([]);
    expect(await contents()).toEqual(["lives in Lyon"]);
  });

  it("goes with the session that it was learned in, where what was learned is to go along", async () => {
    const { workspace, say } = await world(reply(["lives in Lyon", 1, 2]));
    await put(workspace, learnedItem(1, "one"), learnedItem(2, "two"));
    await say(longTalk);
    await workspace.sessions.remove("one", { learned: true });
    expect((await workspace.memories.history()).map(({ id }) => id)).toEqual(["id-2"]);
  });

  it("is not replaced where it was corrected, pinned or deleted while the model was asked", async () => {
    const asked = deferred();
    const answer = deferred<string>();
    const { workspace, contents } = await world(async () => {
      asked.resolve();
      return answer.promise;
    });
    await put(workspace, ...learnedItems(25));
    await workspace.recordTurn("s1", [
      ["human", longTalk],
      ["ai", "ok"],
    ]);
    await asked.promise;
    await workspace.memories.update("id-1", "corrected");
    await workspace.memories.setPinned("id-2", true);
    await workspace.memories.remove("id-3");
    answer.resolve(reply(["new", 1, 2, 3, 4]));
    await workspace.idle();
    expect(await contents()).toEqual([
      "corrected",
      "fact 2",
      ...learnedItems(25)
        .slice(4)
        .map(({ content }) => content),
      "new",
    ]);
    expect((await workspace.memories.history()).map(({ id }) => id)).toEqual(["id-4"]);
  });

  it("stays where the fact that replaces it was deleted, or holds a credential", async () => {
    const { workspace, say, contents, clock } = await world(
      reply(["password is hunter2-Xk9!aQ", 1], ["never again", 2]),
    );
    await put(workspace, ...learnedItems(2));
    await say("said before");
    clock.advance(1000);
    const { id } = await workspace.memories.add("never again");
    await workspace.memories.remove(id);
    await workspace.extractNow();
    expect(await contents()).toEqual(["fact 1", "fact 2"]);
    expect(await workspace.memories.history()).toEqual([]);
  });

  it("stays where the same reply says it again", async () => {
    const { workspace, say, contents } = await world(reply(["fact 2", 1], ["fact 1", 2]));
    await put(workspace, ...learnedItems(2));
    await say(longTalk);
    expect(await contents()).toEqual(["fact 1", "fact 2"]);
  });

  it("may go for one that is known already", async () => {
    const { workspace, say, contents } = await world(reply(["fact 2", 1]));
    await put(workspace, ...learnedItems(3));
    await say(longTalk);
    expect(await contents()).toEqual(["fact 2", "fact 3"]);
    expect(await workspace.memories.history()).toMatchObject([{ id: "id-1", replacedBy: "id-2" }]);
  });

  it("nothing of it is left by `clear`, nor brought by a reply that was asked for before", async () => {
    const answer = deferred<string>();
    const asked = deferred();
    const { workspace, say, contents } = await world(reply(["new", 1]), async () => {
      asked.resolve();
      return answer.promise;
    });
    await put(workspace, ...learnedItems(3));
    await say(longTalk);
    expect(await workspace.memories.history()).toHaveLength(1);
    await workspace.recordTurn("s1", [
      ["human", longTalk],
      ["ai", "ok"],
    ]);
    await asked.promise;
    expect(await workspace.memories.clear()).toBe(3);
    answer.resolve(reply(["newer", 1, 2]));
    await workspace.idle();
    expect(await contents()).toEqual([]);
    expect(await workspace.memories.history()).toEqual([]);
  });
});

describe("a reply that names more than a fifth of all memories is not believed", () => {
  it.each([
    [1, [1], ["new"]],
    [2, [1, 2], ["new"]],
    [3, [1, 2, 3], ["fact 1", "fact 2", "fact 3", "new"]],
    [14, [1, 2, 3], [...learnedItems(14).map(({ content }) => content), "new"]],
    [
      15,
      [1, 2, 3],
      [
        ...learnedItems(15)
          .slice(3)
          .map(({ content }) => content),
        "new",
      ],
    ],
  ])("of %i memories, %j", async (count, numbers, expected) => {
    const { workspace, say, contents, logger } = await makeWorld({
      consolidate: true,
      replies: [reply(["new", ...numbers])],
    });
    await put(workspace, ...learnedItems(count));
    await say(longTalk);
    expect(await contents()).toEqual(expected);
    const isBelieved = !expected.includes("fact 1");
    expect(await workspace.memories.history()).toHaveLength(isBelieved ? numbers.length : 0);
    expect(logger.warnings).toHaveLength(isBelieved ? 0 : 1);
  });

  it("its facts are kept, with one warning that counts and quotes nothing, until one is believed", async () => {
    const tooMuch = (content: string) => reply([content, 1, 2], ["and more", 2, 3]);
    const { workspace, say, logger } = await makeWorld({
      consolidate: true,
      replies: [tooMuch("SECRETWORD a"), tooMuch("SECRETWORD b"), reply(["c", 1]), tooMuch("SECRETWORD d")],
    });
    await put(workspace, ...learnedItems(5).map((item) => ({ ...item, content: `SECRETWORD ${item.id}` })));
    for (let turn = 0; turn < 2; turn++) await say(longTalk);
    expect(logger.warnings).toEqual([
      "[cross-session-memory] a reply would have replaced 3 of 5 memories at once and was not believed: its facts were kept and nothing was replaced",
    ]);
    expect(await workspace.memories.list()).toHaveLength(8);
    for (let turn = 0; turn < 2; turn++) await say(longTalk);
    expect(logger.warnings).toHaveLength(2);
    expect(logger.all).not.toContain("SECRETWORD");
  });
});

describe("structured output", () => {
  it.each([true, false])("has the field only with the option (consolidate: %s)", async (consolidate) => {
    const answer = JSON.stringify({ memories: [{ content: "new", session: null, replaces: [1] }] });
    const server = await startModelServer(() => answer);
    const { workspace, say, contents } = await makeWorld({ model: server.model(), consolidate });
    await put(workspace, learnedItem(1));
    await say(longTalk);
    expect(JSON.stringify(server.requests[0]?.response_format).includes("replaces")).toBe(consolidate);
    expect(await contents()).toEqual(consolidate ? ["new"] : ["fact 1", "new"]);
  });
});

describe("where the history can't be written", () => {
  it.each(["replaced.change", "memories.change"])(
    "%s: nothing is lost, and what was learned is saved with the next attempt",
    async (broken) => {
      const dir = await temporaryFolder();
      const inner = new JsonMemoryStore({ dir });
      let isFull = false;
      // The memories write the history through the store's own list.
      const write = inner.replaced.change.bind(inner.replaced);
      inner.replaced.change = (change) =>
        isFull && broken === "replaced.change" ? Promise.reject(diskError()) : write(change);
      const store = failingStore(inner, (call) => (isFull && call === broken ? diskError() : undefined));
      const { workspace, say, contents } = await makeWorld({
        consolidate: true,
        store,
        replies: [reply(["new", 1])],
      });
      await put(workspace, learnedItem(1), learnedItem(2));
      isFull = true;
      await say(longTalk);
      expect(await contents()).toEqual(["fact 1", "fact 2"]);
      expect(await workspace.memories.history()).toEqual([]);
      isFull = false;
      expect(await workspace.extractNow()).toMatchObject({ requests: 0, stored: 1 });
      expect(await contents()).toEqual(["fact 2", "new"]);
      expect(await workspace.memories.history()).toMatchObject([{ id: "id-1" }]);
    },
  );

  it("killed between history and memories, the fact is still a memory and in no history", async () => {
    const { workspace, say, contents } = await makeWorld({ consolidate: true, replies: [reply(["new", 1])] });
    await put(workspace, learnedItem(1));
    await workspace.store.replaced.change(() => ({
      entries: [{ ...learnedItem(1), replacedAt: 1, replacedBy: "never stored" }],
      result: undefined,
    }));
    expect(await workspace.memories.history()).toEqual([]);
    await say(longTalk);
    expect(await contents()).toEqual(["new"]);
    expect(await workspace.memories.history()).toHaveLength(1);
  });
});

describe("files", () => {
  it("the history is a file of its own, for its owner alone, gone with what it held", async () => {
    const { dir, workspace, say } = await makeWorld({ consolidate: true, replies: [reply(["new", 1])] });
    const folder = join(dir, "memory");
    await put(workspace, learnedItem(1), learnedItem(2));
    expect(await readdir(folder)).not.toContain("history.json");
    await say(longTalk);
    expect(JSON.parse(await readFile(join(folder, "history.json"), "utf8"))).toMatchObject([{ id: "id-1" }]);
    await workspace.memories.restore("id-1");
    expect(await readdir(folder)).not.toContain("history.json");
  });
});

describe("a reply names what it replaces", () => {
  const replaces = (value: unknown) => readReply([{ content: "A", replaces: value }])?.[0]?.replaces;

  it.each([
    ["numbers", [3, 7], [3, 7]],
    ["digits", ["3", " 7 "], [3, 7]],
    ["one number", 3, [3]],
    ["one that is no whole number among them", [1.5, "x", null, {}, 4], [4]],
    ["nothing", [], undefined],
    ["null", null, undefined],
    ["an object", { 1: 2 }, undefined],
  ])("%s", (_, value, expected) => {
    expect(replaces(value)).toEqual(expected);
  });

  it("beside other shapes of a reply", () => {
    const expected = [{ content: "A", session: undefined, replaces: [2] }];
    expect(readReply('```json\n{"memories":[{"content":"A","replaces":[2]}]}\n```')).toEqual(expected);
    expect(readReply('{"content":"A","replaces":2}')).toEqual(expected);
    expect(readReply('So: {"content":"A","replaces":["2"]}')).toEqual(expected);
    expect(readReply('["A"]')).toEqual([{ content: "A", session: undefined }]);
  });
});
