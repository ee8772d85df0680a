import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type MemoryItem, MemoryWorkspace, type WorkspaceOptions } from "../../src/index.js";
import { isReplaceable, sessionsOf } from "../../src/memory/memory-item.js";
import { FixedClock } from "../support/clock.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel, type ScriptedReply } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function open(replies: readonly ScriptedReply[], options: WorkspaceOptions = {}) {
  const dir = await temporaryFolder();
  const clock = new FixedClock();
  const model = new ScriptedModel(...replies);
  const workspace = new MemoryWorkspace({ dir, logger: new CollectingLogger(), model, ...options }, clock);
  const say = (session: string, ...ids: string[]) =>
    workspace.recordTurn(
      session,
      ids.map((id, index) =>
        index % 2 === 0
          ? { role: "user", id, content: `I say ${id}` }
          : { role: "assistant", id, content: `yes ${id}` },
      ),
    );
  return { dir, clock, workspace, memories: workspace.memories, say };
}

const fact = (content: string, session?: number) => JSON.stringify([{ content, session }]);

describe("a learned memory", () => {
  it("keeps its session, the time and the ids of the messages, beside the four keys", async () => {
    const { dir, clock, workspace, memories, say } = await open([fact("User uses zsh.")]);
    await say("s1", "m1", "m2");
    clock.advance(60_000);
    await workspace.extractNow();
    const [item] = await memories.list();
    expect(item).toEqual({
      id: expect.any(String),
      content: "User uses zsh.",
      createdAt: clock.time,
      sourceScope: "s1",
      source: { sessionIds: ["s1"], messageIds: ["m1", "m2"], learnedAt: clock.time },
    });
    expect(JSON.parse(await readFile(join(dir, "memory", "memory.json"), "utf8"))).toEqual([item]);
  });

  it("keeps the messages of its own session only, where the reply names it", async () => {
    const { workspace, memories, say } = await open([fact("User uses zsh.", 2)]);
    await say("s1", "m1", "m2");
    await say("s2", "m3", "m4");
    await say("s1", "m5", "m6");
    await workspace.extractNow();
    expect(await memories.list()).toMatchObject([
      { sourceScope: "s2", source: { sessionIds: ["s2"], messageIds: ["m3", "m4"] } },
    ]);
  });

  it.each([undefined, 7])(
    "keeps all sessions of the request where the reply names none (%s)",
    async (session) => {
      const { workspace, memories, say } = await open([fact("User uses zsh.", session)]);
      await say("s1", "m1", "m2");
      await say("s2", "m3", "m4");
      await workspace.extractNow();
      expect(await memories.list()).toMatchObject([
        { sourceScope: "global", source: { sessionIds: ["s1", "s2"], messageIds: ["m1", "m2", "m3", "m4"] } },
      ]);
    },
  );

  it("keeps at most the last 50 ids, each once", async () => {
    const { workspace, memories, say } = await open([fact("User uses zsh.")]);
    for (let turn = 0; turn < 30; turn++) await say("s1", `m${turn}`, `a${turn}`);
    await workspace.extractNow();
    const [item] = await memories.list();
    const ids = item?.source?.messageIds ?? [];
    expect(ids).toHaveLength(50);
    expect(new Set(ids).size).toBe(50);
    expect([ids[0], ids.at(-1)]).toEqual(["m5", "a29"]);
  });

  it("keeps the source of the first where it is learned twice", async () => {
    const { clock, workspace, memories, say } = await open([fact("User uses zsh.")]);
    await say("s1", "m1", "m2");
    await workspace.extractNow();
    const before = await memories.list();
    clock.advance(1000);
    await say("s2", "m3", "m4");
    await workspace.extractNow();
    expect(await memories.list()).toEqual(before);
  });

  it("is given as a copy: what a caller does to it is in no file", async () => {
    const { workspace, memories, say } = await open([fact("User uses zsh.")]);
    await say("s1", "m1", "m2");
    await workspace.extractNow();
    const [item] = await memories.list();
    (item as unknown as { source: { messageIds: string[] } }).source.messageIds.push("not mine");
    await memories.add("another");
    expect((await memories.list())[0]?.source?.messageIds).toEqual(["m1", "m2"]);
  });
});

describe("by hand", () => {
  it("what a person adds has the four keys alone, and nothing learned may take its place", async () => {
    const { memories } = await open([]);
    const item = await memories.add("User uses zsh.");
    expect(Object.keys(item)).toEqual(["id", "content", "createdAt", "sourceScope"]);
    expect(isReplaceable(item)).toBe(false);
  });

  it("a correction keeps where it came from, with the time since when it is a person's", async () => {
    const { clock, workspace, memories, say } = await open([fact("User uses zsh.")]);
    await say("s1", "m1", "m2");
    await workspace.extractNow();
    const [learned] = (await memories.list()) as [MemoryItem];
    expect(isReplaceable(learned)).toBe(true);
    clock.advance(1000);
    const corrected = await memories.update(learned.id, "User uses fish.");
    expect(corrected).toEqual({
      ...learned,
      content: "User uses fish.",
      source: { ...learned.source, byHandAt: clock.time },
    });
    expect(await memories.list()).toEqual([corrected]);
    expect(isReplaceable(corrected)).toBe(false);
  });

  it("what was learned and is added by hand too is a person's from then on", async () => {
    const { clock, workspace, memories, say } = await open([fact("User uses zsh.")]);
    await say("s1", "m1", "m2");
    await workspace.extractNow();
    const [learned] = (await memories.list()) as [MemoryItem];
    clock.advance(1000);
    const added = await memories.add(" User uses  zsh. ");
    expect(added).toEqual({ ...learned, source: { ...learned.source, byHandAt: clock.time } });
    clock.advance(1000);
    expect(await memories.add("User uses zsh.")).toEqual(added);
    expect(await memories.list()).toEqual([added]);
  });

  it("a pin holds it too, for as long as it is there", async () => {
    const { workspace, memories, say } = await open([fact("User uses zsh.")]);
    await say("s1", "m1", "m2");
    await workspace.extractNow();
    const [learned] = (await memories.list()) as [MemoryItem];
    expect(isReplaceable(await memories.setPinned(learned.id, true))).toBe(false);
    expect(isReplaceable(await memories.setPinned(learned.id, false))).toBe(true);
  });
});

describe("sessions.remove with what was learned", () => {
  it("deletes what came from that session and nothing else, and it is not learned again", async () => {
    const reply = JSON.stringify([
      { content: "of the first", session: 1 },
      { content: "of the second", session: 2 },
      { content: "of either" },
    ]);
    const { workspace, memories, say } = await open([reply]);
    await memories.add("by hand");
    await memories.add("told in the first", { sourceScope: "s1" });
    await say("s1", "m1", "m2");
    await say("s2", "m3", "m4");
    await workspace.extractNow();
    expect(await memories.list()).toHaveLength(5);
    expect(await workspace.sessions.remove("s1", { learned: true })).toBe(true);
    const left = ["by hand", "of the second"];
    expect((await memories.list()).map(({ content }) => content)).toEqual(left);
    expect((await workspace.store.extraction.read()).forgotten?.facts).toHaveLength(3);
    expect(await workspace.sessions.remove("s1", { learned: true })).toBe(false);
  });

  it("keeps what a person has corrected since, and takes what is pinned", async () => {
    const { workspace, memories, say } = await open([JSON.stringify(["one", "two"])]);
    await say("s1", "m1", "m2");
    await workspace.extractNow();
    const [one, two] = (await memories.list()) as [MemoryItem, MemoryItem];
    await memories.update(one.id, "one, in my own words");
    await memories.setPinned(two.id, true);
    expect(await workspace.sessions.remove("s1", { learned: true })).toBe(true);
    expect(await memories.list()).toMatchObject([{ content: "one, in my own words" }]);
  });

  it("leaves the memories as they are unless it is told to, and there need be no session any more", async () => {
    const { workspace, memories, say } = await open([fact("one")]);
    await say("s1", "m1", "m2");
    await workspace.extractNow();
    expect(await workspace.sessions.remove("s1")).toBe(true);
    expect(await workspace.sessions.remove("s1", { learned: false })).toBe(false);
    expect(await memories.list()).toHaveLength(1);
    expect(await workspace.sessions.remove("s1", { learned: true })).toBe(true);
    expect(await memories.list()).toEqual([]);
  });

  it("takes of the session that is called global only what was learned in it", async () => {
    const { workspace, memories, say } = await open([fact("learned")]);
    await memories.add("by hand");
    await say("global", "m1", "m2");
    await workspace.extractNow();
    await workspace.sessions.remove("global", { learned: true });
    expect((await memories.list()).map(({ content }) => content)).toEqual(["by hand"]);
  });
});

describe("the sessions that a memory came from", () => {
  const item = (part: Partial<MemoryItem>): MemoryItem => ({
    id: "1",
    content: "x",
    createdAt: 1,
    sourceScope: "global",
    ...part,
  });
  const source = { sessionIds: ["s1", "s2"], messageIds: [], learnedAt: 1 };

  it.each<[Partial<MemoryItem>, string[]]>([
    [{ source }, ["s1", "s2"]],
    [{ source: { ...source, sessionIds: ["global"] } }, ["global"]],
    [{ sourceScope: "s1" }, ["s1"]],
    [{}, []],
    [{ sourceScope: "s1", source: { ...source, byHandAt: 2 } }, []],
  ])("%j: %j", (part, sessions) => {
    expect(sessionsOf(item(part))).toEqual(sessions);
  });
});
