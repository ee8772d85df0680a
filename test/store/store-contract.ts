import { describe, expect, it } from "vitest";
import type {
  ConversationEntry,
  MemoryItem,
  MemoryStore,
  SessionRecord,
  WaitingEntry,
} from "../../src/index.js";
import type { Candidate } from "../../src/memory/candidate.js";
import type { EntryList } from "../../src/memory/memory-store.js";
import { maxReplaced, type ReplacedMemory } from "../../src/memory/replaced-memory.js";

/** Where a store keeps what it is given; each `open` is as another process would see the same place. */
export interface StoreHome {
  open(): MemoryStore;
}

/** What every home of memories must do, by the interface `MemoryStore` alone. `makeHome` gives an empty one. */
export function describeMemoryStore(name: string, makeHome: () => Promise<StoreHome>): void {
  const openStore = async () => (await makeHome()).open();

  describe(`${name}: memories`, () => {
    it("has none at first", async () => {
      const store = await openStore();
      expect(await store.memories.read()).toEqual([]);
      expect(await store.memories.clear()).toBe(0);
    });

    it("gives back what was stored, whole, and to another process too", async () => {
      const home = await makeHome();
      const item = memory(1, { content: '用户喜欢 🦊 与 "引号"', sourceScope: "thread/ä" });
      await put(home.open(), item);
      expect(await home.open().memories.read()).toEqual([item]);
    });

    it("orders by time, and in the order of arrival within one millisecond", async () => {
      const home = await makeHome();
      const names = Array.from({ length: 30 }, (_, index) => `m${(index * 7) % 30}`);
      const items = names.map((id) => memory(0, { id, content: id, createdAt: 1000 }));
      const late = memory(0, { id: "late", content: "late", createdAt: 2000 });
      await put(home.open(), ...items.slice(0, 15), late);
      await put(home.open(), ...items.slice(15));
      const early = memory(0, { id: "early", content: "early", createdAt: 1 });
      await put(home.open(), early);
      expect((await home.open().memories.read()).map(({ id }) => id)).toEqual(["early", ...names, "late"]);
    });

    it("gives a change what is stored now, and stores nothing where the change says so", async () => {
      const home = await makeHome();
      const [store, other] = [home.open(), home.open()];
      await put(store, memory(1));
      await put(other, memory(2));
      const seen = await store.memories.change(({ items }) => ({ result: items.map(({ id }) => id) }));
      expect(seen).toEqual(["id-1", "id-2"]);
      expect(await store.memories.read()).toHaveLength(2);
    });

    it("stores what a change says: more, fewer, corrected", async () => {
      const home = await makeHome();
      const store = home.open();
      await put(store, memory(1), memory(2), memory(3));
      await store.memories.change(({ items }) => ({
        items: items
          .filter(({ id }) => id !== "id-2")
          .map((item) => (item.id === "id-3" ? { ...item, content: "new" } : item)),
        result: undefined,
      }));
      expect(await home.open().memories.read()).toEqual([memory(1), memory(3, { content: "new" })]);
      await store.memories.change(() => ({ items: [], result: undefined }));
      expect(await home.open().memories.read()).toEqual([]);
    });

    it("keeps what is pinned and where it was learned, and lets go of both", async () => {
      const home = await makeHome();
      const items = [
        memory(1, { pinned: true, source: learned }),
        memory(2, { source: { ...learned, byHandAt: 9 } }),
        memory(3, { pinned: true }),
      ];
      await put(home.open(), ...items);
      expect(await home.open().memories.read()).toEqual(items);
      const plain = [memory(1), memory(2, { pinned: true }), memory(3, { source: learned })];
      await home.open().memories.change(() => ({ items: plain, result: undefined }));
      expect(await home.open().memories.read()).toEqual(plain);
    });

    it("stores nothing where a change throws, and passes its error on", async () => {
      const store = await openStore();
      await put(store, memory(1));
      const refused = store.memories.change(() => {
        throw new RangeError("no");
      });
      await expect(refused).rejects.toThrow(RangeError);
      expect(await store.memories.read()).toEqual([memory(1)]);
      await put(store, memory(2));
      expect(await store.memories.read()).toHaveLength(2);
    });

    it("loses none of many changes at once by one opening", async () => {
      const store = await openStore();
      await Promise.all(Array.from({ length: 20 }, (_, index) => put(store, memory(index))));
      expect((await store.memories.read()).map(({ id }) => id).sort()).toEqual(
        Array.from({ length: 20 }, (_, index) => `id-${index}`).sort(),
      );
    });

    it("begins a new generation with each clear, and says how many there were", async () => {
      const home = await makeHome();
      const [store, other] = [home.open(), home.open()];
      await put(store, memory(1), memory(2));
      const before = await generationOf(other);
      expect(await generationOf(store)).toBe(before);
      expect(await store.memories.clear()).toBe(2);
      const after = await generationOf(other);
      expect(after).toBeGreaterThan(before);
      expect(await other.memories.read()).toEqual([]);
      await put(other, memory(3));
      expect(await generationOf(store)).toBe(after);
      expect(await other.memories.clear()).toBe(1);
      expect(await generationOf(store)).toBeGreaterThan(after);
      expect((await store.extraction.read()).generation).toBe(await generationOf(store));
    });
  });

  describe(`${name}: memories that were replaced`, () => {
    it("are stored with the change that takes them out of the list, whole and in order", async () => {
      const home = await makeHome();
      const store = home.open();
      const old = memory(1, { content: '用户用 "npm" 🦊', source: learned, pinned: true });
      await put(store, old, memory(2), memory(3));
      const replaced = [gone(2, "id-4"), { ...old, replacedAt: 9, replacedBy: "id-4" }];
      await store.memories.change(({ items }) => ({
        items: [...items.filter(({ id }) => id === "id-3"), memory(4)],
        replaced,
        result: undefined,
      }));
      expect(await home.open().replaced.read()).toEqual(replaced);
      expect((await home.open().memories.read()).map(({ id }) => id)).toEqual(["id-3", "id-4"]);
    });

    it("are the newest 200, each once", async () => {
      const home = await makeHome();
      const replace = (replaced: readonly ReplacedMemory[]) =>
        home.open().memories.change(() => ({ replaced, result: undefined }));
      await replace(Array.from({ length: maxReplaced }, (_, number) => gone(number, "new")));
      await replace([gone(0, "again"), gone(maxReplaced, "new")]);
      const history = await home.open().replaced.read();
      expect(history).toHaveLength(200);
      expect(history.slice(0, 1)).toEqual([gone(2, "new")]);
      expect(history.slice(-2)).toEqual([gone(0, "again"), gone(maxReplaced, "new")]);
    });

    it("are not stored where the change throws", async () => {
      const store = await openStore();
      const refused = store.memories.change(() => {
        throw new RangeError("no");
      });
      await expect(refused).rejects.toThrow(RangeError);
      expect(await store.replaced.read()).toEqual([]);
    });
  });

  describe.each<[string, (store: MemoryStore) => EntryList<MemoryItem>, (number: number) => MemoryItem]>([
    ["memories that were replaced", ({ replaced }) => replaced as never, (number) => gone(number, "new")],
    ["candidates", ({ candidates }) => candidates as never, proposed],
  ])(`${name}: the list of %s`, (_, listOf, entry) => {
    const add = (store: MemoryStore, ...added: MemoryItem[]) =>
      listOf(store).change(({ entries }) => ({ entries: [...entries, ...added], result: added.length }));

    it("is empty at first, and kept in order for every process", async () => {
      const home = await makeHome();
      const list = listOf(home.open());
      expect(await list.read()).toEqual([]);
      expect(await add(home.open(), entry(2), entry(1))).toBe(2);
      await add(home.open(), entry(3));
      await list.change(({ entries }) => ({
        entries: [...entries.filter(({ id }) => id !== "id-2"), entry(2)],
        result: undefined,
      }));
      const expected = [entry(1), entry(3), entry(2)];
      expect(await list.read()).toEqual(expected);
      expect(await listOf(home.open()).read()).toEqual(expected);
      await list.change(() => ({ entries: [], result: undefined }));
      expect(await listOf(home.open()).read()).toEqual([]);
    });

    it("stays as it is where a change says so or throws", async () => {
      const store = await openStore();
      await add(store, entry(1));
      expect(await listOf(store).change(({ entries }) => ({ result: entries.length }))).toBe(1);
      const refused = listOf(store).change(() => {
        throw new RangeError("no");
      });
      await expect(refused).rejects.toThrow(RangeError);
      expect(await listOf(store).read()).toEqual([entry(1)]);
    });

    it("loses none of many changes at once by one opening", async () => {
      const store = await openStore();
      await Promise.all(Array.from({ length: 10 }, (_, index) => add(store, entry(index))));
      expect(await listOf(store).read()).toHaveLength(10);
    });

    it("goes with a clear of the memories, which a change learns of by its generation", async () => {
      const home = await makeHome();
      const [store, other] = [home.open(), home.open()];
      const generation = () => listOf(other).change((stored) => ({ result: stored.generation }));
      await add(store, entry(1));
      const before = await generation();
      expect(before).toBe(await generationOf(other));
      await store.memories.clear();
      expect(await listOf(other).read()).toEqual([]);
      expect(await generation()).toBe(await generationOf(other));
      expect(await generation()).toBeGreaterThan(before);
      await add(other, entry(2));
      expect(await listOf(store).read()).toEqual([entry(2)]);
    });
  });

  describe(`${name}: what waits`, () => {
    it("is in the order in which it came, over sessions and processes", async () => {
      const home = await makeHome();
      const [store, other] = [home.open(), home.open()];
      expect(await store.waiting.read()).toEqual([]);
      await store.waiting.append([waiting("1", "A"), waiting("2", "a")]);
      await other.waiting.append([waiting("3", "A")]);
      await store.waiting.append([waiting("4", "🦊/..")]);
      const all = [waiting("1", "A"), waiting("2", "a"), waiting("3", "A"), waiting("4", "🦊/..")];
      expect(await store.waiting.read()).toEqual(all);
      expect(await other.waiting.read()).toEqual(all);
      const ids = new Set(all.map(({ id }) => id));
      expect(await store.waiting.of("A", ids)).toEqual([all[0], all[2]]);
      expect(await other.waiting.of("a", ids)).toEqual([all[1]]);
      expect(await other.waiting.of("nobody", ids)).toEqual([]);
      expect(await other.waiting.of("A", new Set([waiting("3", "A").id]))).toEqual([all[2]]);
      expect(await other.waiting.of("A", new Set(["never said"]))).toEqual([]);
    });

    it("is counted by session in code points, and followed as it comes and goes", async () => {
      const home = await makeHome();
      const [store, other] = [home.open(), home.open()];
      expect([...(await store.waiting.totals())]).toEqual([]);
      await store.waiting.append([waiting("1", "s", "🦊🦊", 50), waiting("2", "s", "abc", 40)]);
      expect([...(await store.waiting.totals())]).toEqual([
        ["s", { characters: 5, messages: 2, lastTime: 50 }],
      ]);
      await other.waiting.append([waiting("3", "t", "x", 60)]);
      expect([...(await store.waiting.totals())].sort()).toEqual([
        ["s", { characters: 5, messages: 2, lastTime: 50 }],
        ["t", { characters: 1, messages: 1, lastTime: 60 }],
      ]);
      await other.waiting.remove(new Set(["1", "3"]));
      expect([...(await store.waiting.totals())]).toEqual([
        ["s", { characters: 3, messages: 1, lastTime: 40 }],
      ]);
    });

    it("is not changed in the hands of whom it was given", async () => {
      const store = await openStore();
      await store.waiting.append([waiting("1", "s")]);
      const { id } = waiting("1", "s");
      const [entries, totals] = [await store.waiting.of("s", new Set([id])), await store.waiting.totals()];
      await store.waiting.append([{ ...waiting("2", "s"), id }, waiting("3", "t")]);
      expect(await store.waiting.of("s", new Set([id]))).toHaveLength(2);
      expect(entries).toHaveLength(1);
      expect(totals.get("s")?.messages).toBe(1);
      expect(totals.size).toBe(1);
    });

    it("counts an entry that is appended twice once", async () => {
      const store = await openStore();
      await store.waiting.append([waiting("1", "s")]);
      await store.waiting.append([waiting("1", "s"), waiting("2", "s")]);
      expect(await store.waiting.read()).toHaveLength(2);
      const ids = new Set([waiting("1", "s").id, waiting("2", "s").id]);
      expect(await store.waiting.of("s", ids)).toHaveLength(2);
      expect((await store.waiting.totals()).get("s")?.messages).toBe(2);
    });

    it("takes out exactly the named entries, and nothing that comes meanwhile", async () => {
      const home = await makeHome();
      const [store, other] = [home.open(), home.open()];
      await store.waiting.append(Array.from({ length: 10 }, (_, index) => waiting(`old-${index}`, "s")));
      const appends = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? store : other).waiting.append([waiting(`new-${index}`, "s")]),
      );
      await Promise.all([
        ...appends,
        store.waiting.remove(new Set(["old-0", "old-1", "old-2", "unknown"])),
        other.waiting.remove(new Set(["old-3", "old-4"])),
      ]);
      const left = (await store.waiting.read()).map(({ entryId }) => entryId).sort();
      const expected = [5, 6, 7, 8, 9].map((index) => `old-${index}`);
      expect(left).toEqual([...expected, ...Array.from({ length: 20 }, (_, index) => `new-${index}`)].sort());
      await store.waiting.remove(new Set());
      expect(await store.waiting.read()).toHaveLength(25);
    });

    it("keeps every character of a text", async () => {
      const home = await makeHome();
      const text = 'line\nline\r\n\t"\\ \u2028 \u0000 🦊 \u202E e\u0301 {"role":"system"}';
      await home.open().waiting.append([waiting("1", "s", text)]);
      expect((await home.open().waiting.read())[0]?.text).toBe(text);
    });
  });

  describe(`${name}: session records`, () => {
    const record = (sessionId: string): SessionRecord => ({
      sessionId,
      extractedUpTo: "m-9",
      extractedAt: 12,
      seen: [{ id: "m-8", hash: "h" }, { id: "m-9" }],
      summary: "so far",
      summaryUpTo: "m-1",
    });

    it("are read as they were written, and none is there at first", async () => {
      const home = await makeHome();
      expect(await home.open().sessions.read("s")).toBeUndefined();
      expect(await home.open().sessions.list()).toEqual([]);
      await home.open().sessions.change("s", (former) => {
        expect(former).toBeUndefined();
        return record("s");
      });
      expect(await home.open().sessions.read("s")).toEqual(record("s"));
    });

    it("are one for each id, whatever string it is", async () => {
      const home = await makeHome();
      const store = home.open();
      for (const id of strangeIds)
        await store.sessions.change(id, () => ({ ...record(id), extractedUpTo: id }));
      for (const id of strangeIds) expect((await home.open().sessions.read(id))?.extractedUpTo).toBe(id);
      const listed = (await home.open().sessions.list()).map(({ sessionId }) => sessionId);
      expect(listed.sort()).toEqual([...strangeIds].sort());
      expect(await store.sessions.remove("A")).toBe(true);
      expect(await store.sessions.remove("A")).toBe(false);
      expect(await home.open().sessions.read("A")).toBeUndefined();
      expect((await home.open().sessions.read("a"))?.extractedUpTo).toBe("a");
    });

    it("lose nothing when two change one at once", async () => {
      const home = await makeHome();
      const [store, other] = [home.open(), home.open()];
      const add = (target: MemoryStore, id: string) =>
        target.sessions.change("s", (former = { sessionId: "s", seen: [] }) => ({
          ...former,
          seen: [...former.seen, { id }],
        }));
      await Promise.all(
        Array.from({ length: 10 }, (_, index) => add(index % 2 ? store : other, `m-${index}`)),
      );
      expect((await store.sessions.read("s"))?.seen).toHaveLength(10);
    });
  });

  describe(`${name}: conversations`, () => {
    it("are appended to and read in order, each session apart", async () => {
      const home = await makeHome();
      const [store, other] = [home.open(), home.open()];
      expect(await store.conversations.read("s")).toEqual([]);
      await store.conversations.append("s", [said("1", "s"), said("2", "s")]);
      await store.conversations.append("S", [said("3", "S")]);
      expect(await other.conversations.read("s")).toEqual([said("1", "s"), said("2", "s")]);
      await other.conversations.append("s", [said("4", "s")]);
      expect((await store.conversations.read("s")).map(({ entryId }) => entryId)).toEqual(["1", "2", "4"]);
      expect(await store.conversations.read("S")).toEqual([said("3", "S")]);
    });

    it("are listed by the sessions that have one", async () => {
      const home = await makeHome();
      const store = home.open();
      expect(await store.conversations.list()).toEqual([]);
      for (const id of strangeIds)
        await store.conversations.append(id, [said(`of ${id}`, id), said(`2 of ${id}`, id)]);
      await store.sessions.change("record only", () => ({ sessionId: "record only", seen: [] }));
      expect([...(await home.open().conversations.list())].sort()).toEqual([...strangeIds].sort());
      await store.conversations.remove("A");
      expect(await home.open().conversations.list()).not.toContain("A");
    });

    it("are gone when they are removed, for every process", async () => {
      const home = await makeHome();
      const [store, other] = [home.open(), home.open()];
      await store.conversations.append("s", [said("1", "s")]);
      await other.conversations.read("s");
      expect(await store.conversations.remove("s")).toBe(true);
      expect(await store.conversations.remove("s")).toBe(false);
      expect(await other.conversations.read("s")).toEqual([]);
      expect(await store.conversations.read("s")).toEqual([]);
    });
  });

  describe(`${name}: memory settings`, () => {
    it("hold only what was switched, for every process", async () => {
      const home = await makeHome();
      const [store, other] = [home.open(), home.open()];
      expect(await store.settings.read()).toEqual({});
      await store.settings.change({ aiMemoryEnabled: false });
      expect(await other.settings.read()).toEqual({ aiMemoryEnabled: false });
      await other.settings.change({ aiMemoryLimit: 20 });
      expect(await store.settings.read()).toEqual({ aiMemoryEnabled: false, aiMemoryLimit: 20 });
    });
  });

  describe(`${name}: state of the extraction`, () => {
    it("begins at nothing and is changed for every process", async () => {
      const home = await makeHome();
      const [store, other] = [home.open(), home.open()];
      expect(await store.extraction.read()).toMatchObject({ generation: 0, contentFailures: 0, halvings: 0 });
      await store.extraction.change((state) => ({ ...state, contentFailures: 2, partMessages: 5 }));
      expect(await other.extraction.read()).toMatchObject({
        contentFailures: 2,
        halvings: 0,
        partMessages: 5,
      });
      await other.extraction.change(({ partMessages: _gone, ...state }) => ({ ...state, halvings: 1 }));
      const state = await store.extraction.read();
      expect(state).toMatchObject({ contentFailures: 2, halvings: 1 });
      expect(state.partMessages).toBeUndefined();
    });

    it("lets one extract at a time, and the next when it has ended", async () => {
      const home = await makeHome();
      const [store, other] = [home.open(), home.open()];
      const lease = await store.extraction.tryLease();
      expect(lease).toBeDefined();
      expect(await other.extraction.tryLease()).toBeUndefined();
      expect(await store.extraction.tryLease()).toBeUndefined();
      await lease?.release();
      const next = await other.extraction.tryLease();
      expect(next).toBeDefined();
      await next?.release();
    });
  });

  describe(`${name}: users`, () => {
    it("have everything apart from each other and from the app", async () => {
      const home = await makeHome();
      const app = home.open();
      await fill(app, "app");
      for (const id of strangeIds) await fill(app.forUser(id), id);
      for (const id of strangeIds) await expectFilled(home.open().forUser(id), id);
      await expectFilled(home.open(), "app");
    });

    it("hold their leases apart", async () => {
      const app = await openStore();
      const leases = await Promise.all(
        [app, app.forUser("a"), app.forUser("b")].map((store) => store.extraction.tryLease()),
      );
      expect(leases.every((lease) => lease !== undefined)).toBe(true);
      for (const lease of leases) await lease?.release();
    });

    it("are deleted with everything of theirs and nothing of another's", async () => {
      const home = await makeHome();
      const app = home.open();
      await fill(app, "app");
      await fill(app.forUser("A"), "A");
      await fill(app.forUser("a"), "a");
      expect(await app.deleteUser("A")).toBe(true);
      expect(await app.deleteUser("A")).toBe(false);
      expect(await app.deleteUser("never seen")).toBe(false);
      const deleted = home.open().forUser("A");
      expect(await deleted.memories.read()).toEqual([]);
      expect(await deleted.replaced.read()).toEqual([]);
      expect(await deleted.candidates.read()).toEqual([]);
      expect(await deleted.waiting.read()).toEqual([]);
      expect(await deleted.sessions.list()).toEqual([]);
      expect(await deleted.conversations.read("s")).toEqual([]);
      expect(await deleted.settings.read()).toEqual({});
      await expectFilled(home.open(), "app");
      await expectFilled(home.open().forUser("a"), "a");
    });

    it("are refused without an id", async () => {
      const app = await openStore();
      expect(() => app.forUser("")).toThrow(expect.objectContaining({ code: "ERR_USER_INVALID" }));
      await expect(Promise.resolve().then(() => app.deleteUser(""))).rejects.toMatchObject({
        code: "ERR_USER_INVALID",
      });
    });
  });
}

const strangeIds = [
  "../x",
  "a/b",
  "..",
  ".",
  "🦊",
  "x".repeat(500),
  "CON",
  "A",
  "a",
  " ",
  "user@host.example",
  "a.b",
];

function memory(number: number, part: Partial<MemoryItem> = {}): MemoryItem {
  return {
    id: `id-${number}`,
    content: `fact ${number}`,
    createdAt: 1000 + number,
    sourceScope: "global",
    ...part,
  };
}

const learned = { sessionIds: ["s"], messageIds: ["m-1"], learnedAt: 5 };

function gone(number: number, by: string): ReplacedMemory {
  return { ...memory(number), replacedAt: 5000 + number, replacedBy: by };
}

function proposed(number: number): Candidate {
  return { ...memory(number, { source: learned }), replaces: [`old-${number}`] };
}

function waiting(entryId: string, session: string, text = `text ${entryId}`, time = 7): WaitingEntry {
  return { entryId, session, id: `m-${entryId}`, role: "user", time, text };
}

function said(entryId: string, session: string): ConversationEntry {
  const data = { content: `said ${entryId}`, role: undefined, name: undefined, tool_call_id: undefined };
  return JSON.parse(JSON.stringify({ entryId, session, message: { type: "human", data } }));
}

async function put(store: MemoryStore, ...added: MemoryItem[]): Promise<void> {
  await store.memories.change(({ items }) => ({ items: [...items, ...added], result: undefined }));
}

function generationOf(store: MemoryStore): Promise<number> {
  return store.memories.change(({ generation }) => ({ result: generation }));
}

async function fill(store: MemoryStore, owner: string): Promise<void> {
  await put(store, memory(1, { content: `of ${owner}` }));
  await store.memories.change(() => ({ replaced: [gone(2, owner)], result: undefined }));
  const candidate = { ...proposed(3), content: `for ${owner}` };
  await store.candidates.change(() => ({ entries: [candidate], result: undefined }));
  await store.waiting.append([waiting(`w-${owner}`, "s", owner)]);
  await store.sessions.change("s", () => ({ sessionId: "s", seen: [], extractedUpTo: owner }));
  await store.conversations.append("s", [said(`c-${owner}`, "s")]);
  await store.settings.change({ aiMemoryLimit: 10 + owner.length });
}

async function expectFilled(store: MemoryStore, owner: string): Promise<void> {
  expect((await store.memories.read()).map(({ content }) => content)).toEqual([`of ${owner}`]);
  expect((await store.replaced.read()).map(({ replacedBy }) => replacedBy)).toEqual([owner]);
  expect((await store.candidates.read()).map(({ content }) => content)).toEqual([`for ${owner}`]);
  expect((await store.waiting.read()).map(({ text }) => text)).toEqual([owner]);
  expect((await store.sessions.list()).map(({ extractedUpTo }) => extractedUpTo)).toEqual([owner]);
  expect((await store.conversations.read("s")).map(({ entryId }) => entryId)).toEqual([`c-${owner}`]);
  expect(await store.settings.read()).toEqual({ aiMemoryLimit: 10 + owner.length });
}
