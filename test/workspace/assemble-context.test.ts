import fs, { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { JsonMemoryStore, MemoryWorkspace, type WorkspaceOptions } from "../../src/index.js";
import { FixedClock } from "../support/clock.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function open(options: WorkspaceOptions = {}) {
  const dir = await temporaryFolder();
  for (const kind of ["rules", "skills", "memory"]) await mkdir(join(dir, kind));
  await writeFile(join(dir, "rules", "a.md"), "rule a");
  await writeFile(join(dir, "rules", "b.md"), "rule b");
  await writeFile(join(dir, "skills", "s.md"), "skill s");
  const memories = [
    { id: "m-1", content: "first fact", createdAt: 1, sourceScope: "global" },
    { id: "m-2", content: "second fact", createdAt: 1, sourceScope: "global" },
  ];
  await writeFile(join(dir, "memory", "memory.json"), JSON.stringify(memories));
  const clock = new FixedClock();
  const logger = new CollectingLogger();
  const workspace = new MemoryWorkspace({ dir, logger, ...options }, clock);
  return { dir, clock, logger, workspace };
}

describe("assembleContext", () => {
  it("gives the five segments in their order, with sizes and what went in", async () => {
    const { workspace } = await open();
    const { segments, text } = await workspace.assembleContext({
      summary: "so far",
      sessionContext: "on call",
      planContext: "step 1",
    });
    expect(segments.map(({ kind, sources, omitted }) => ({ kind, sources, omitted }))).toEqual([
      { kind: "rules", sources: ["a.md", "b.md"], omitted: 0 },
      { kind: "skills", sources: ["s.md"], omitted: 0 },
      { kind: "memory", sources: ["m-1", "m-2"], omitted: 0 },
      { kind: "summary", sources: [], omitted: 0 },
      { kind: "session", sources: [], omitted: 0 },
    ]);
    for (const segment of segments) expect(segment.bytes).toBe(Buffer.byteLength(segment.text));
    expect(text).toBe(segments.map((segment) => segment.text).join("\n\n"));
    expect(segments[4]?.text).toBe("# 会话上下文\n\non call\n\n# 当前计划\n\nstep 1");
  });

  it("follows the switches of memory, rules and skills", async () => {
    const { workspace } = await open();
    const kinds = async () => (await workspace.assembleContext()).segments.map(({ kind }) => kind);
    expect(await kinds()).toEqual(["rules", "skills", "memory"]);
    await workspace.settings.update({ aiMemoryEnabled: false });
    expect(await kinds()).toEqual(["rules", "skills"]);
    await workspace.settings.update({ aiMemoryEnabled: true, aiRulesEnabled: false });
    expect(await kinds()).toEqual(["skills", "memory"]);
    await workspace.settings.update({ aiRulesEnabled: true, aiSkillsEnabled: false });
    expect(await kinds()).toEqual(["rules", "memory"]);
  });

  it("brings no memories into a temporary run, but rules and skills", async () => {
    const { workspace } = await open();
    const { segments } = await workspace.assembleContext({ isTemporary: true });
    expect(segments.map(({ kind }) => kind)).toEqual(["rules", "skills"]);
  });

  it("takes the session's own summary where it is given the session and no other summary", async () => {
    const { workspace, dir } = await open();
    const store = new JsonMemoryStore({ dir });
    await store.sessions.change("s", () => ({ sessionId: "s", seen: [], summary: "kept summary" }));
    const summaryOf = async (options: object) =>
      (await workspace.assembleContext(options)).segments.find(({ kind }) => kind === "summary")?.text;
    expect(await summaryOf({ sessionId: "s" })).toContain("kept summary");
    expect(await summaryOf({ sessionId: "s", summary: "given" })).toContain("given");
    expect(await summaryOf({ sessionId: "s", summary: "" })).toBeUndefined();
    expect(await summaryOf({ sessionId: "other" })).toBeUndefined();
    expect(await summaryOf({})).toBeUndefined();
  });

  it("has the newest of many memories, in order, and counts the others", async () => {
    const { workspace } = await open();
    const facts = Array.from({ length: 100 }, (_, index) => ({
      id: `id-${index}`,
      content: `${index} ${"x".repeat(190 - String(index).length - 1)}`,
      createdAt: index,
      sourceScope: "global",
    }));
    await workspace.memories.save(facts);
    const memory = (await workspace.assembleContext()).segments.find(({ kind }) => kind === "memory");
    expect(memory?.bytes).toBeLessThanOrEqual(8192);
    expect(memory?.bytes).toBeGreaterThan(8192 - 400);
    expect(memory?.sources).toEqual(facts.slice(memory?.omitted).map(({ id }) => id));
    expect(memory?.text).toContain(`（其余 ${memory?.omitted} 条记忆因总量超限未注入）`);
  });

  it("gives the same bytes for the same files and memories, whatever the time, session or process", async () => {
    const { workspace, dir, clock } = await open();
    const { text } = await workspace.assembleContext({ sessionId: "one" });
    for (let turn = 0; turn < 5; turn++) {
      clock.advance(86_400_000);
      const touched = new Date(Date.now() + turn * 1000);
      for (const file of ["rules/a.md", "memory/memory.json"])
        await utimes(join(dir, file), touched, touched);
      expect((await workspace.assembleContext({ sessionId: `s-${turn}` })).text).toBe(text);
      expect((await new MemoryWorkspace({ dir }).assembleContext()).text).toBe(text);
    }
  });

  it("gives the same bytes in whatever order the disk lists the files, and where memories have one time", async () => {
    const { workspace, dir } = await open();
    for (const name of ["c.md", "Z.md", "10.md", "9.md"]) await writeFile(join(dir, "rules", name), name);
    const facts = Array.from({ length: 20 }, (_, index) => ({
      id: `id-${index}`,
      content: `fact ${index}`,
      createdAt: 7,
      sourceScope: "global",
    }));
    await workspace.memories.save(facts);
    const { text, segments } = await workspace.assembleContext();
    expect(segments[0]?.sources).toEqual(["10.md", "9.md", "Z.md", "a.md", "b.md", "c.md"]);
    expect(segments.at(-1)?.sources).toEqual(facts.map(({ id }) => id));
    const list = fs.readdir as (...args: unknown[]) => Promise<unknown[]>;
    const listing = vi
      .spyOn(fs, "readdir")
      .mockImplementation((async (...args: unknown[]) => (await list(...args)).reverse()) as never);
    expect((await new MemoryWorkspace({ dir }).assembleContext()).text).toBe(text);
    expect(listing).toHaveBeenCalled();
    listing.mockRestore();
  });

  it("has an edit in the very next call, and nothing changes before its own segment", async () => {
    const { workspace, dir } = await open();
    const before = (await workspace.assembleContext()).segments;
    await writeFile(join(dir, "skills", "s.md"), "skill t");
    await workspace.memories.add("third fact");
    const after = (await workspace.assembleContext()).segments;
    expect(after[0]).toEqual(before[0]);
    expect(after[1]?.text).toBe(before[1]?.text.replace("skill s", "skill t"));
    expect(after[2]?.text).toBe(`${before[2]?.text}\n- third fact`);
  });

  it("is empty, and makes nothing of it, where there is nothing to inject", async () => {
    const workspace = new MemoryWorkspace({ dir: join(await temporaryFolder(), "ai") });
    expect(await workspace.assembleContext({ sessionId: "s" })).toEqual({ segments: [], text: "" });
  });

  it("goes on without what can't be read, with one warning for each cause", async () => {
    const { workspace, dir, logger } = await open();
    await mkdir(join(dir, "settings.json"));
    await mkdir(join(dir, "chats"));
    await mkdir(join(dir, "chats", "s.json"));
    await rm(join(dir, "memory", "memory.json"));
    await mkdir(join(dir, "memory", "memory.json"));
    for (let turn = 0; turn < 3; turn++) {
      const { segments } = await workspace.assembleContext({ sessionId: "s" });
      expect(segments.map(({ kind }) => kind)).toEqual(["rules", "skills"]);
    }
    expect(logger.warnings).toHaveLength(2);
  });
});
