import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { InMemoryStore } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { LangGraphMemoryStore, type MemoryStore } from "../../src/index.js";
import { learnedItem, numberedLines, put } from "../extraction/learned.js";
import { deferred, fact, longTalk, makeWorld, readRequest, type World } from "../extraction/world.js";

const homes: [string, () => MemoryStore | undefined][] = [
  ["files", () => undefined],
  ["LangGraph store", () => new LangGraphMemoryStore(new InMemoryStore() as never)],
];

function facts(...contents: string[]): string {
  return JSON.stringify(contents.map((content) => ({ content })));
}

async function proposals({ workspace }: World): Promise<string[]> {
  return (await workspace.candidates.list()).map(({ content }) => content);
}

describe.each(homes)("with `review` what is learned waits for a person (%s)", (_, home) => {
  const world = (options: object = {}, ...replies: (string | (() => Promise<string>))[]) =>
    makeWorld({ review: true, store: home(), replies, ...options });

  it("is in no list and no prompt, and the extraction is done", async () => {
    const one = await world({}, facts("likes tea", "uses zsh"));
    const { workspace, say, contents, clock, logger } = one;
    await say("said");
    expect(await workspace.extractNow()).toEqual({ requests: 1, stored: 2, remaining: 0 });
    expect(await contents()).toEqual([]);
    expect((await workspace.assembleContext()).text).toBe("");
    expect(await workspace.candidates.list()).toEqual(
      ["likes tea", "uses zsh"].map((content) => ({
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        content,
        createdAt: clock.time,
        sourceScope: "s1",
        source: expect.objectContaining({ sessionIds: ["s1"] }),
      })),
    );
    expect(await workspace.usage()).toMatchObject([{ stored: 2 }]);
    expect(logger.all).toBe("");
  });

  it("becomes a memory when it is accepted, with its id, and is in the prompt then", async () => {
    const one = await world({}, facts("likes tea", "uses zsh"));
    const { workspace, say, contents, clock } = one;
    await say(longTalk);
    const [tea] = await workspace.candidates.list();
    clock.advance(5000);
    const accepted = await workspace.candidates.accept(tea?.id ?? "");
    expect(accepted).toEqual({ ...tea, createdAt: clock.time });
    expect(await workspace.memories.list()).toEqual([accepted]);
    expect(await proposals(one)).toEqual(["uses zsh"]);
    expect((await workspace.assembleContext()).text).toContain("- likes tea");
    await expect(workspace.candidates.accept(tea?.id ?? "")).rejects.toMatchObject({
      code: "ERR_CANDIDATE_NOT_FOUND",
    });
    expect(await contents()).toEqual(["likes tea"]);
  });

  it("may be accepted in other words, which are a person's own; in the old ones it doesn't come back", async () => {
    const one = await world({}, fact("likes tea"), fact("likes tea"));
    const { workspace, say, contents, clock } = one;
    await say(longTalk);
    await say("said before");
    clock.advance(1000);
    const [tea] = await workspace.candidates.list();
    const accept = (content: string) => workspace.candidates.accept(tea?.id ?? "", { content });
    await expect(accept("  ")).rejects.toMatchObject({ code: "ERR_MEMORY_EMPTY" });
    await expect(accept("x".repeat(201))).rejects.toMatchObject({ code: "ERR_MEMORY_TOO_LONG" });
    await expect(accept("password is hunter2-Xk9!aQ")).rejects.toMatchObject({ code: "ERR_MEMORY_SECRET" });
    expect(await proposals(one)).toEqual(["likes tea"]);
    expect(await accept("likes  green\ntea")).toMatchObject({
      id: tea?.id,
      content: "likes green tea",
      source: { byHandAt: clock.time },
    });
    await workspace.extractNow();
    expect(await contents()).toEqual(["likes green tea"]);
    expect(await proposals(one)).toEqual([]);
  });

  it("gives the memory that is there already in the same words", async () => {
    const one = await world({}, fact("likes tea"));
    const { workspace, say } = one;
    await say(longTalk);
    const added = await workspace.memories.add("likes  tea");
    const [tea] = await workspace.candidates.list();
    expect(await workspace.candidates.accept(tea?.id ?? "")).toEqual(added);
    expect(await workspace.memories.list()).toEqual([added]);
    expect(await proposals(one)).toEqual([]);
  });

  it("is not proposed again in the same words once it was rejected, whatever is said later", async () => {
    const one = await world({}, fact("likes tea"), fact(" likes \u200Btea"), fact("likes tea"));
    const { workspace, say, clock } = one;
    await say(longTalk);
    const [tea] = await workspace.candidates.list();
    expect(await workspace.candidates.reject(tea?.id ?? "")).toBe(true);
    expect(await workspace.candidates.reject(tea?.id ?? "")).toBe(false);
    expect(await proposals(one)).toEqual([]);
    for (let day = 1; day <= 2; day++) {
      clock.advance(2 * 24 * 60 * 60 * 1000);
      await say(longTalk);
      expect(one.model.requests).toHaveLength(1 + day);
      expect(await proposals(one)).toEqual([]);
    }
    // A person may still write it down.
    await workspace.memories.add("likes tea");
    expect(await one.contents()).toEqual(["likes tea"]);
  });

  it("is known to the extractor, and not proposed twice in the same words", async () => {
    const one = await world({}, facts("likes tea", "likes tea"), facts("likes tea", "known already", "new"));
    await one.workspace.memories.add("known already");
    await one.say(longTalk);
    await one.say(longTalk);
    expect(readRequest(one.model).known).toEqual(["known already", "likes tea"]);
    expect(await proposals(one)).toEqual(["likes tea", "new"]);
  });

  it("is the newest 200, with a warning that counts those which had to go", async () => {
    const one = await world(
      {},
      facts(...Array.from({ length: 150 }, (_item, index) => `SECRETWORD a ${index}`)),
      facts(...Array.from({ length: 150 }, (_item, index) => `SECRETWORD b ${index}`)),
    );
    await one.say(longTalk);
    expect(one.logger.warnings).toEqual([]);
    await one.say(longTalk);
    const waiting = await proposals(one);
    expect(waiting).toHaveLength(200);
    expect([waiting[0], waiting.at(-1)]).toEqual(["SECRETWORD a 100", "SECRETWORD b 149"]);
    expect(one.logger.warnings).toEqual([
      "[cross-session-memory] more than 200 candidates waited: the oldest 100 were dropped",
    ]);
  });

  it("goes with a `clear`, also what an extraction under way is about to bring", async () => {
    const answer = deferred<string>();
    const asked = deferred();
    const one = await world({}, fact("likes tea"), async () => {
      asked.resolve();
      return answer.promise;
    });
    await one.say(longTalk);
    await one.workspace.recordTurn("s1", [
      ["human", longTalk],
      ["ai", "ok"],
    ]);
    await asked.promise;
    await one.workspace.memories.clear();
    answer.resolve(fact("uses zsh"));
    await one.workspace.idle();
    expect(await proposals(one)).toEqual([]);
    expect(await one.contents()).toEqual([]);
  });

  it("goes with its session where what was learned is to go along", async () => {
    const one = await world({}, fact("likes tea"), fact("uses zsh"));
    await one.say(longTalk, { session: "one" });
    await one.say(longTalk, { session: "two" });
    await one.workspace.sessions.remove("one");
    expect(await proposals(one)).toHaveLength(2);
    expect(await one.workspace.sessions.remove("one", { learned: true })).toBe(true);
    expect(await proposals(one)).toEqual(["uses zsh"]);
  });

  it("keeps to the limit when it is accepted", async () => {
    const one = await world({}, fact("likes tea"));
    const { workspace, say, contents, clock } = one;
    await workspace.settings.update({ aiMemoryLimit: 10 });
    await say(longTalk);
    for (let number = 0; number < 10; number++) {
      clock.advance(1);
      await workspace.memories.add(`fact ${number}`);
    }
    const [tea] = await workspace.candidates.list();
    clock.advance(1);
    await workspace.candidates.accept(tea?.id ?? "");
    expect(await contents()).toHaveLength(10);
    expect(await contents()).toContain("likes tea");
    expect(await contents()).not.toContain("fact 0");
  });

  it("is of one user alone", async () => {
    const one = await world({}, fact("likes tea"));
    const ada = one.workspace.forUser("ada");
    await ada.recordTurn("s1", [
      ["human", longTalk],
      ["ai", "ok"],
    ]);
    await ada.idle();
    expect(await ada.candidates.list()).toHaveLength(1);
    expect(await proposals(one)).toEqual([]);
    await one.workspace.deleteUser("ada");
    expect(await one.workspace.forUser("ada").candidates.list()).toEqual([]);
  });

  it("what was asked for is remembered at once", async () => {
    const one = await world();
    await one.workspace.memories.add("likes tea");
    expect(await one.contents()).toEqual(["likes tea"]);
  });

  describe("with `consolidate` what it replaces waits with it", () => {
    const replacing = (content: string, ...replaces: number[]) => JSON.stringify([{ content, replaces }]);

    it("and goes when it is accepted", async () => {
      const one = await world({ consolidate: true }, replacing("lives in Lyon", 1, 2, 2));
      const { workspace, say, contents, clock } = one;
      await put(workspace, learnedItem(1), learnedItem(2), learnedItem(3));
      await say(longTalk);
      expect(await contents()).toEqual(["fact 1", "fact 2", "fact 3"]);
      const [lyon] = await workspace.candidates.list();
      expect(lyon?.replaces).toEqual(["id-1", "id-2"]);
      clock.advance(1000);
      const accepted = await workspace.candidates.accept(lyon?.id ?? "");
      expect(accepted).not.toHaveProperty("replaces");
      expect(await contents()).toEqual(["fact 3", "lives in Lyon"]);
      expect(await workspace.memories.history()).toMatchObject(
        ["id-1", "id-2"].map((id) => ({ id, replacedAt: clock.time, replacedBy: lyon?.id })),
      );
    });

    it("and stays where it was corrected, pinned or deleted meanwhile, or the candidate is rejected", async () => {
      const one = await world(
        { consolidate: true },
        replacing("lives in Lyon", 1, 2, 3, 4),
        replacing("lives in Nice", 5),
      );
      const { workspace, say, contents } = one;
      await put(workspace, ...Array.from({ length: 25 }, (_item, index) => learnedItem(index + 1)));
      await say(longTalk);
      await say(longTalk);
      await workspace.memories.update("id-1", "corrected");
      await workspace.memories.setPinned("id-2", true);
      await workspace.memories.remove("id-3");
      const [lyon, nice] = await workspace.candidates.list();
      await workspace.candidates.accept(lyon?.id ?? "");
      await workspace.candidates.reject(nice?.id ?? "");
      expect(await workspace.memories.history()).toMatchObject([{ id: "id-4" }]);
      expect((await contents()).slice(0, 3)).toEqual(["corrected", "fact 2", "fact 5"]);
    });

    it("and is not believed where it is more than a fifth of all memories", async () => {
      const one = await world({ consolidate: true }, replacing("lives in Lyon", 1, 2, 3));
      await put(one.workspace, ...Array.from({ length: 10 }, (_item, index) => learnedItem(index + 1)));
      await one.say(longTalk);
      expect(await one.workspace.candidates.list()).toEqual([
        expect.not.objectContaining({ replaces: expect.anything() }),
      ]);
      expect(one.logger.warnings).toHaveLength(1);
    });

    it("candidates themselves bear no number", async () => {
      const one = await world({ consolidate: true }, fact("likes tea"), replacing("likes coffee", 2));
      await put(one.workspace, learnedItem(1));
      await one.say(longTalk);
      await one.say(longTalk);
      expect(numberedLines(one.model)).toEqual([{ number: 1, content: "fact 1" }, { content: "likes tea" }]);
      expect(await proposals(one)).toEqual(["likes tea", "likes coffee"]);
    });
  });
});

describe("files", () => {
  it("candidates are a file of their own, for its owner alone; nothing of it is left after `clear`", async () => {
    const { dir, workspace, say } = await makeWorld({ review: true, replies: [fact("SECRETWORD")] });
    const folder = join(dir, "memory");
    await say(longTalk);
    const path = join(folder, "candidates.json");
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject([{ content: "SECRETWORD" }]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await workspace.memories.clear();
    for (const name of await readdir(folder)) {
      const { isFile, text } = await readFile(join(folder, name), "utf8").then(
        (content) => ({ isFile: true, text: content }),
        () => ({ isFile: false, text: "" }),
      );
      if (isFile) expect(text).not.toContain("SECRETWORD");
    }
    expect(await readdir(folder)).not.toContain("candidates.json");
  });

  it("a rejected one is kept as a salted hash alone", async () => {
    const { dir, workspace, say } = await makeWorld({ review: true, replies: [fact("SECRETWORD")] });
    await say(longTalk);
    const [candidate] = await workspace.candidates.list();
    await workspace.candidates.reject(candidate?.id ?? "");
    const folder = join(dir, "memory");
    const state = await readFile(join(folder, "extraction.json"), "utf8");
    expect(JSON.parse(state).forgotten.facts).toMatchObject([{ forGood: true }]);
    expect(state).not.toContain("SECRETWORD");
    expect(await readdir(folder)).not.toContain("candidates.json");
  });
});

it("without `review` nothing is a candidate, and the extractor asks nothing of them", async () => {
  const one = await makeWorld({ replies: [fact("likes tea")] });
  await one.workspace.store.candidates.change(() => ({ entries: [learnedItem(1)], result: undefined }));
  await one.say(longTalk);
  expect(readRequest(one.model).known).toBeUndefined();
  expect(await one.contents()).toEqual(["likes tea"]);
});
