import { AsyncBatchedStore, InMemoryStore } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import type { MemoryItem, MemoryStore } from "../../src/index.js";
import {
  LangGraphMemoryStore,
  type LangGraphMemoryStoreOptions,
} from "../../src/memory/langgraph-memory-store.js";
import { FixedClock } from "../support/clock.js";
import { WatchedStore } from "./watched-store.js";

describe("LangGraphMemoryStore", () => {
  it("refuses a wrong option at construction, and asks the base store nothing", async () => {
    const base = new WatchedStore();
    const open = (options: unknown) => () =>
      new LangGraphMemoryStore(base, options as LangGraphMemoryStoreOptions);
    const code = (value: string) => expect.objectContaining({ code: value });
    expect(() => new LangGraphMemoryStore({} as WatchedStore)).toThrow("baseStore must be a LangGraph store");
    expect(open({ namespace: "memories" })).toThrow(code("ERR_OPTION_TYPE"));
    for (const label of ["", "a.b", "a:b", "a%", "a_b", "a\\b", "a\0b", 5]) {
      expect(open({ namespace: ["app", label] })).toThrow(code("ERR_OPTION_RANGE"));
    }
    expect(open({ namespace: [] })).toThrow(code("ERR_OPTION_RANGE"));
    expect(open({ namespace: ["langgraph"] })).toThrow(code("ERR_OPTION_RANGE"));
    expect(open({ timeoutMs: 0 })).toThrow(code("ERR_OPTION_RANGE"));
    expect(open({ now: 5 })).toThrow(code("ERR_OPTION_TYPE"));
    expect(open({ prefix: "x" })).toThrow('unknown option "prefix"');
    expect(open({ namespace: ["my-app", "记忆"], timeoutMs: 50 })).not.toThrow();
    expect(base.queries).toEqual([]);
  });

  it("stores one item a memory, readable by its own keys, never to be embedded", async () => {
    const base = new WatchedStore();
    const indexed: unknown[] = [];
    const put = base.put.bind(base);
    base.put = (...parameters: Parameters<typeof put>) => {
      indexed.push((parameters as unknown[])[3]);
      return put(...parameters);
    };
    const store = new LangGraphMemoryStore(base);
    await add(store, memory("1", "likes tea"), memory("2", "likes pnpm"));
    const stored = base.queries.filter(({ method }) => method === "put").map(({ value }) => value?.memory);
    expect(stored).toEqual([memory("1", "likes tea"), memory("2", "likes pnpm")]);
    expect(indexed).toEqual([false, false]);
  });

  it("makes one item of the same content, also where two processes add it at once", async () => {
    const base = new InMemoryStore();
    const [one, other] = processes(base);
    await Promise.all([
      add(one, memory("a", "likes  tea")),
      add(other, memory("b", "likes tea\u200B"), memory("c", "uses zsh")),
    ]);
    const read = await one.memories.read();
    expect(read.map(({ content }) => content.trim().replace(/\s+/g, " "))).toHaveLength(2);
    expect(read.filter(({ content }) => content.includes("tea"))).toHaveLength(1);
  });

  it("loses nothing that another process adds while a change is being written", async () => {
    const base = new InMemoryStore();
    const [one, other] = processes(base);
    await add(one, memory("1", "one"), memory("2", "two"));
    await one.memories.change(({ items }) => {
      // Between reading and writing: another process has added one and removed one.
      return { items: [...items, memory("3", "three")], result: undefined };
    });
    const slow = new WatchedStore(base);
    const third = new LangGraphMemoryStore(slow);
    let entered = false;
    slow.after = async ({ method }) => {
      if (method !== "search" || entered) return;
      entered = true;
      await add(other, memory("4", "four"));
      await other.memories.change(({ items }) => ({
        items: items.filter(({ id }) => id !== "1"),
        result: undefined,
      }));
    };
    await add(third, memory("5", "five"));
    expect(entered).toBe(true);
    expect((await one.memories.read()).map(({ id }) => id).sort()).toEqual(["2", "3", "4", "5"]);
  });

  it("forgets at a clear what another process writes late from before it", async () => {
    const base = new InMemoryStore();
    const slow = new WatchedStore(base);
    const [clearing] = processes(base);
    const extracting = new LangGraphMemoryStore(slow);
    await add(extracting, memory("1", "one"));
    let entered = false;
    slow.before = async ({ method }) => {
      if (method !== "put" || entered) return;
      entered = true;
      await clearing.memories.clear();
      await add(clearing, memory("3", "said after the clear"), memory("4", "two"));
    };
    await add(extracting, memory("2", "two"));
    expect(entered).toBe(true);
    expect((await clearing.memories.read()).map(({ id }) => id)).toEqual(["3", "4"]);
    await add(clearing, memory("5", "five"));
    expect((await extracting.memories.read()).map(({ id }) => id)).toEqual(["3", "4", "5"]);
  });

  it("reads a memory once whose correction was killed half way, as it was corrected", async () => {
    const watched = new WatchedStore();
    const store = new LangGraphMemoryStore(watched);
    await add(store, memory("1", "likes tea"), memory("2", "uses zsh"));
    watched.before = ({ method }) => {
      if (method === "delete") throw new Error("killed");
    };
    const correct = (content: string) =>
      store.memories.change(({ items }) => ({
        items: items.map((item) => (item.id === "1" ? { ...item, content } : item)),
        result: undefined,
      }));
    await expect(correct("likes coffee")).rejects.toThrow("killed");
    watched.before = () => {};
    expect((await store.memories.read()).map(({ content }) => content)).toEqual(["likes coffee", "uses zsh"]);
    await store.memories.change(({ items }) => ({
      items: items.filter(({ id }) => id !== "1"),
      result: undefined,
    }));
    expect((await store.memories.read()).map(({ content }) => content)).toEqual(["uses zsh"]);
  });

  it("keeps keys that it doesn't know through a correction", async () => {
    const store = new LangGraphMemoryStore(new WatchedStore());
    await add(store, { ...memory("1", "one"), tags: ["a"] } as MemoryItem);
    await store.memories.change(({ items }) => ({
      items: items.map((item) => ({ ...item, content: "uno" })),
      result: undefined,
    }));
    expect(await store.memories.readWhole()).toEqual([{ ...memory("1", "uno"), tags: ["a"] }]);
    expect(await store.memories.read()).toEqual([memory("1", "uno")]);
  });

  it("keeps two apps apart, also where the name of one begins with the other's", async () => {
    const base = new InMemoryStore();
    const open = (...namespace: string[]) => new LangGraphMemoryStore(base, { namespace });
    await add(open("app"), memory("1", "of app"));
    await add(open("app2"), memory("2", "of app2"));
    await add(open("app", "app"), memory("3", "of app in app"));
    expect((await open("app").memories.read()).map(({ id }) => id)).toEqual(["1"]);
    expect((await open("app2").memories.read()).map(({ id }) => id)).toEqual(["2"]);
    expect((await open("app", "app").memories.read()).map(({ id }) => id)).toEqual(["3"]);
    await open("app").memories.clear();
    expect(await open("app", "app").memories.read()).toHaveLength(1);
  });

  it("reads what was asked for at one moment by one query, and never less than was written before", async () => {
    const base = new WatchedStore();
    const store = new LangGraphMemoryStore(base);
    await add(store, memory("1", "one"));
    await store.settings.change({ aiMemoryLimit: 20 });
    base.taken();
    const [memories, settings, waiting] = await Promise.all([
      store.memories.read(),
      store.settings.read(),
      store.waiting.totals(),
    ]);
    expect(base.taken().map(({ method }) => method)).toEqual(["search"]);
    expect(memories).toEqual([memory("1", "one")]);
    expect(settings).toEqual({ aiMemoryLimit: 20 });
    expect(waiting.size).toBe(0);
    const earlier = store.memories.read();
    await store.settings.change({ aiMemoryLimit: 30 });
    expect(await store.settings.read()).toEqual({ aiMemoryLimit: 30 });
    expect(await earlier).toHaveLength(1);
  });

  it("reads a session's record by no query of its own while no record has changed", async () => {
    const base = new WatchedStore();
    const store = new LangGraphMemoryStore(base);
    const other = new LangGraphMemoryStore(new WatchedStore(base.base));
    expect(await store.sessions.read("s")).toBeUndefined();
    base.taken();
    expect(await store.sessions.read("s")).toBeUndefined();
    expect(base.taken().map(({ method }) => method)).toEqual(["search"]);
    await other.sessions.change("s", () => ({ sessionId: "s", seen: [], summary: "new" }));
    expect((await store.sessions.read("s"))?.summary).toBe("new");
    expect(base.taken().map(({ method }) => method)).toEqual(["search", "get"]);
    await other.sessions.remove("s");
    expect(await store.sessions.read("s")).toBeUndefined();
  });

  it("loses nothing that a person deletes while an attempt writes what it cost", async () => {
    const base = new InMemoryStore();
    const slow = new WatchedStore(base);
    const [deleting] = processes(base);
    const forgotten = { salt: "salt", facts: [{ hash: "hash", at: 5 }] };
    let entered = false;
    slow.before = async ({ method }) => {
      if (method !== "put" || entered) return;
      entered = true;
      await deleting.extraction.change((state) => ({ ...state, forgotten }));
    };
    const extracting = new LangGraphMemoryStore(slow);
    await extracting.extraction.change((state) => ({ ...state, contentFailures: 2 }));
    expect(entered).toBe(true);
    expect(await deleting.extraction.read()).toMatchObject({ contentFailures: 2, forgotten });
  });

  it("gives up on a base store that does not answer, after timeoutMs", async () => {
    const base = new WatchedStore();
    base.before = () => new Promise(() => {});
    const store = new LangGraphMemoryStore(base, { timeoutMs: 5 });
    await expect(store.memories.read()).rejects.toMatchObject({ code: "ETIMEDOUT" });
    await expect(store.waiting.append([waiting("1")])).rejects.toMatchObject({ code: "ETIMEDOUT" });
  });

  it("uses the store behind a run's own view of it, which ends with the run", async () => {
    const base = new InMemoryStore();
    // Not started, as after the run: whatever is asked of it is never answered.
    const store = new LangGraphMemoryStore(new AsyncBatchedStore(base), { timeoutMs: 1000 });
    await add(store, memory("1", "one"));
    expect(await new LangGraphMemoryStore(base).memories.read()).toHaveLength(1);
  });
});

describe("LangGraphMemoryStore: lease", () => {
  it("of a dead process runs out, and one that lives keeps its own alive", async () => {
    const clock = new FixedClock();
    const base = new InMemoryStore();
    const [dead, next] = [base, new WatchedStore(base)].map(
      (one) => new LangGraphMemoryStore(one, { now: clock.now }),
    );
    expect(await dead?.extraction.tryLease()).toBeDefined();
    clock.advance(14_999);
    expect(await next?.extraction.tryLease()).toBeUndefined();
    clock.advance(1);
    const lease = await next?.extraction.tryLease();
    expect(lease).toBeDefined();
    await lease?.release();
  });

  it("is had by one of many that want it at once", async () => {
    const base = new InMemoryStore();
    const stores = Array.from({ length: 8 }, () => new LangGraphMemoryStore(new WatchedStore(base)));
    for (let round = 0; round < 5; round++) {
      const leases = await Promise.all(stores.map((store) => store.extraction.tryLease()));
      const had = leases.filter((lease) => lease !== undefined);
      expect(had).toHaveLength(1);
      await had[0]?.release();
    }
  });

  it("is not had by two, however long one stalls between looking and writing", async () => {
    const base = new InMemoryStore();
    const slow = new WatchedStore(base);
    const other = new LangGraphMemoryStore(new WatchedStore(base));
    let taken: unknown;
    slow.before = async ({ method }) => {
      if (method !== "put" || taken !== undefined) return;
      taken = await other.extraction.tryLease();
      expect(taken).toBeDefined();
    };
    expect(await new LangGraphMemoryStore(slow).extraction.tryLease()).toBeUndefined();
    expect(taken).toBeDefined();
    await (taken as { release(): Promise<void> }).release();
    const next = await other.extraction.tryLease();
    expect(next).toBeDefined();
    await next?.release();
  });

  it("is not taken from another by whoever lost it", async () => {
    const clock = new FixedClock();
    const base = new InMemoryStore();
    const [one, other] = processes(base, { now: clock.now });
    const lost = await one.extraction.tryLease();
    clock.advance(60_000);
    const taken = await other.extraction.tryLease();
    expect(taken).toBeDefined();
    await lost?.release();
    expect(await one.extraction.tryLease()).toBeUndefined();
    await taken?.release();
    await taken?.release();
    const again = await one.extraction.tryLease();
    expect(again).toBeDefined();
    await again?.release();
  });
});

/** Two stores that know nothing of each other but the base store. */
function processes(base: InMemoryStore, options: LangGraphMemoryStoreOptions = {}) {
  return [
    new LangGraphMemoryStore(new WatchedStore(base), options),
    new LangGraphMemoryStore(new WatchedStore(base), options),
  ] as const;
}

function memory(id: string, content: string): MemoryItem {
  return { id, content, createdAt: 1000 + Number.parseInt(id, 36), sourceScope: "global" };
}

function waiting(entryId: string) {
  return { entryId, session: "s", id: `m-${entryId}`, role: "user", time: 1, text: "text" } as const;
}

async function add(store: MemoryStore, ...added: MemoryItem[]): Promise<void> {
  await store.memories.change(({ items }) => ({ items: [...items, ...added], result: undefined }));
}
