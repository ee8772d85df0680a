import { InMemoryStore } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { LangGraphMemoryStore } from "../../src/memory/langgraph-memory-store.js";
import type { MemoryStore } from "../../src/memory/memory-store.js";
import { type CopyProgress, copyWorkspace } from "../../src/workspace/copy.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { WatchedStore } from "./watched-store.js";

const counted = {
  memories: 3,
  replaced: 2,
  candidates: 1,
  waiting: 4,
  sessions: 2,
  messages: 3,
  settings: 2,
};

describe("copyWorkspace", () => {
  for (const [name, open] of Object.entries({ files: inFiles, "a LangGraph store": inStore })) {
    const other = name === "files" ? inStore : inFiles;
    it(`brings everything from ${name} to the other home, and counts it`, async () => {
      const [source, target] = [await open(), await other()];
      await fill(source.store);
      const before = await everything(source.store);
      const steps: CopyProgress[] = [];
      expect(await copyWorkspace(source, target, { onProgress: (step) => steps.push(step) })).toEqual(
        counted,
      );
      expect(await everything(target.store)).toEqual(before);
      expect(await everything(source.store)).toEqual(before);
      const { messages: _, ...others } = counted;
      for (const [part, total] of Object.entries({ ...others, histories: 2 })) {
        expect(steps.filter((step) => step.part === part).at(-1)).toMatchObject({ part, done: total, total });
      }
    });
  }

  it("doubles nothing when it is run again, and brings what came meanwhile", async () => {
    const [source, target] = [await inFiles(), await inStore()];
    await fill(source.store);
    await copyWorkspace(source, target);
    const before = await everything(target.store);
    expect(await copyWorkspace(source, target)).toEqual({
      memories: 0,
      replaced: 0,
      candidates: 0,
      waiting: 0,
      sessions: 0,
      messages: 0,
      settings: 0,
    });
    expect(await everything(target.store)).toEqual(before);
    await source.memories.add("learned meanwhile");
    expect(await copyWorkspace(source, target)).toMatchObject({ memories: 1, waiting: 0 });
  });

  it("goes on where it broke off, wherever that was", async () => {
    const source = await inFiles();
    await fill(source.store);
    const expected = await everything(source.store);
    let broken = 0;
    for (let writes = 0; ; writes++) {
      const base = new WatchedStore();
      const target = await inStore(base);
      let left = writes;
      base.before = ({ method }) => {
        if (method !== "search" && method !== "get" && left-- <= 0) throw new Error("broke off");
      };
      const first = await copyWorkspace(source, target).catch(() => undefined);
      base.before = () => {};
      await copyWorkspace(source, target);
      expect(await everything(target.store)).toEqual(expected);
      if (first !== undefined) break;
      broken++;
    }
    expect(broken).toBeGreaterThan(8);
  });

  it("keeps what the target has: its settings, its records, a fact of its own", async () => {
    const [source, target] = [await inFiles(), await inStore()];
    await fill(source.store);
    await target.settings.update({ aiMemoryLimit: 50 });
    await target.memories.add("fact 1");
    await target.store.sessions.change("one", () => ({ sessionId: "one", seen: [], summary: "newer" }));
    expect(await copyWorkspace(source, target)).toMatchObject({ memories: 2, sessions: 1, settings: 1 });
    expect(await target.settings.get()).toMatchObject({ aiMemoryLimit: 50, aiMemoryEnabled: false });
    expect((await target.store.sessions.read("one"))?.summary).toBe("newer");
    const contents = (await target.memories.list()).map(({ content }) => content);
    expect(contents.sort()).toEqual(["fact 0", "fact 1", "fact 2"]);
  });

  it("doesn't bring again what the target has distilled since", async () => {
    const [source, target] = [await inFiles(), await inStore()];
    await source.recordTurn("s", [
      { role: "user", id: "u1", content: "I like tea" },
      { role: "assistant", id: "a1", content: "Noted" },
    ]);
    await copyWorkspace(source, target);
    expect(await target.extractNow()).toMatchObject({ requests: 1, remaining: 0 });
    expect(await copyWorkspace(source, target)).toMatchObject({ waiting: 0 });
    expect(await target.waiting.count()).toMatchObject({ messages: 0 });
  });

  it("takes the next turn in the target as if it had been there from the start", async () => {
    const [source, target] = [await inFiles(), await inStore()];
    const turn = [
      { role: "user", id: "u1", content: "I like tea" },
      { role: "assistant", id: "a1", content: "Noted" },
    ];
    await source.recordTurn("s", turn);
    await copyWorkspace(source, target);
    await target.recordTurn("s", turn);
    expect(await target.waiting.count()).toMatchObject({ messages: 2 });
  });
});

async function inFiles(): Promise<MemoryWorkspace> {
  return new MemoryWorkspace({ dir: await temporaryFolder(), model: new ScriptedModel("[]") });
}

async function inStore(base = new WatchedStore(new InMemoryStore())): Promise<MemoryWorkspace> {
  const store = new LangGraphMemoryStore(base);
  return new MemoryWorkspace({ dir: await temporaryFolder(), model: new ScriptedModel("[]"), store });
}

async function fill(store: MemoryStore): Promise<void> {
  await store.settings.change({ aiMemoryEnabled: false, aiMemoryLimit: 77 });
  await store.memories.change(() => ({
    items: [0, 1, 2].map((number) => ({
      id: `id-${number}`,
      content: `fact ${number}`,
      createdAt: 1000,
      sourceScope: "one",
      ...(number === 0 && { pinned: true }),
      ...(number < 2 && { source: { sessionIds: ["one"], messageIds: ["m0"], learnedAt: 1000 } }),
    })),
    replaced: [3, 4].map((number) => ({
      id: `id-${number}`,
      content: `fact ${number}`,
      createdAt: 900,
      sourceScope: "one",
      replacedAt: 1000,
      replacedBy: "id-0",
    })),
    result: undefined,
  }));
  const candidate = { id: "c", content: "proposed", createdAt: 1, sourceScope: "one", replaces: ["id-1"] };
  await store.candidates.change(() => ({ entries: [candidate], result: undefined }));
  await store.extraction.change((state) => ({
    ...state,
    forgotten: { salt: "salt", facts: [{ hash: "hash", at: 5 }] },
  }));
  await store.sessions.change("one", () => ({ sessionId: "one", seen: [{ id: "m0" }], summary: "so far" }));
  await store.sessions.change("../two", () => ({ sessionId: "../two", seen: [], extractedUpTo: "m9" }));
  for (const [index, session] of ["one", "three", "one", "../two"].entries()) {
    const text = `\u0000 words ${index}`;
    await store.waiting.append([
      { entryId: `w${index}`, session, id: `m${index}`, role: "user", time: index, text },
    ]);
  }
  for (const [index, session] of ["one", "history only", "one"].entries()) {
    const data = { content: `said ${index}`, role: undefined, name: undefined, tool_call_id: undefined };
    const entry = { entryId: `c${index}`, session, message: { type: "human", data } };
    await store.conversations.append(session, [JSON.parse(JSON.stringify(entry))]);
  }
}

async function everything(store: MemoryStore) {
  const sessions = [...(await store.conversations.list())].sort();
  return {
    settings: await store.settings.read(),
    memories: await store.memories.read(),
    replaced: await store.replaced.read(),
    candidates: await store.candidates.read(),
    forgotten: (await store.extraction.read()).forgotten,
    waiting: await store.waiting.read(),
    records: [...(await store.sessions.list())].sort((left, right) =>
      left.sessionId < right.sessionId ? -1 : 1,
    ),
    conversations: await Promise.all(
      sessions.map(async (session) => [session, await store.conversations.read(session)]),
    ),
  };
}
