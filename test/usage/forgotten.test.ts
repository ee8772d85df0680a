import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InMemoryStore } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import type { MemoryStore } from "../../src/index.js";
import { LangGraphMemoryStore } from "../../src/memory/langgraph-memory-store.js";
import { deferred, fact, longTalk, makeWorld, readRequest } from "../extraction/world.js";
import { FixedClock } from "../support/clock.js";

const homes: [string, () => MemoryStore | undefined][] = [
  ["files", () => undefined],
  ["LangGraph store", () => new LangGraphMemoryStore(new InMemoryStore() as never, { namespace: ["app"] })],
];

describe.each(homes)("forgotten stays forgotten (%s)", (_, home) => {
  const world = async (...replies: string[]) => {
    return makeWorld({ store: home(), clock: new FixedClock(), replies });
  };

  it.each(["remove", "update", "save", "clear"] as const)(
    "what a person took away by %s is not learned again, in the same words, from anything said before",
    async (act) => {
      const { workspace, clock, say, contents, logger } = await world(
        fact("Likes tea"),
        fact("  Likes \u200Btea "),
      );
      await say(longTalk);
      await say("I like tea");
      clock.advance(1000);
      const [item] = await workspace.memories.list();
      const id = item?.id ?? "";
      const acts = {
        remove: () => workspace.memories.remove(id),
        update: () => workspace.memories.update(id, "Likes coffee"),
        save: () => workspace.memories.save([]),
        clear: () => workspace.memories.clear(),
      };
      await acts[act]();
      expect(await workspace.extractNow()).toMatchObject({ requests: 1, stored: 0, remaining: 0 });
      expect(await contents()).toEqual(act === "update" ? ["Likes coffee"] : []);
      expect(logger.all).toBe("");
    },
  );

  it("nor with a capital letter or a full stop more, while a fact that only begins alike is", async () => {
    const { workspace, clock, say, contents } = await world(
      JSON.stringify([{ content: "Allergic to nuts." }, { content: "Allergic to nuts and milk" }]),
    );
    const { id } = await workspace.memories.add("allergic to nuts");
    await say("words");
    clock.advance(1000);
    await workspace.memories.remove(id);
    expect(await workspace.extractNow()).toMatchObject({ requests: 1, stored: 1, remaining: 0 });
    expect(await contents()).toEqual(["Allergic to nuts and milk"]);
  });

  it("said again afterwards it may be: parts of the queue are cut at that time", async () => {
    const { workspace, clock, say, contents, model } = await world(
      fact("Likes tea"),
      fact("Likes tea"),
      fact("Likes tea"),
    );
    await say(longTalk);
    await say("before");
    clock.advance(1000);
    await workspace.memories.clear();
    clock.advance(1000);
    await say("after");
    expect(await workspace.extractNow()).toMatchObject({ requests: 2, stored: 1 });
    expect(readRequest(model, 1).lines.map(({ content }) => content)).toEqual(["before", "ok"]);
    expect(readRequest(model, 2).lines.map(({ content }) => content)).toEqual(["after", "ok"]);
    expect(await contents()).toEqual(["Likes tea"]);
  });

  it("also where it is deleted while the model is asked, and added in between", async () => {
    const reply = deferred<string>();
    const clock = new FixedClock();
    const asked = deferred();
    const { workspace, say, contents } = await makeWorld({
      store: home(),
      clock,
      replies: [
        () => {
          asked.resolve();
          return reply.promise;
        },
      ],
    });
    await workspace.recordTurn("s1", [
      ["human", longTalk],
      ["ai", "ok"],
    ]);
    await asked.promise;
    clock.advance(1000);
    // Neither in the request nor in the store when the reply comes.
    const { id } = await workspace.memories.add("Likes tea");
    await workspace.memories.remove(id);
    reply.resolve(fact("Likes tea"));
    await workspace.idle();
    expect(await contents()).toEqual([]);
    await say("still here");
  });

  it("a person may add it by hand again", async () => {
    const { workspace, contents } = await world();
    const { id } = await workspace.memories.add("Likes tea");
    await workspace.memories.remove(id);
    await workspace.memories.add("Likes tea");
    expect(await contents()).toEqual(["Likes tea"]);
  });

  it("what only the limit evicted was not deleted by anybody", async () => {
    const { workspace, clock, say, contents } = await world(fact("fact 0"));
    await workspace.settings.update({ aiMemoryLimit: 10 });
    await say("said before");
    clock.advance(1000);
    for (let number = 0; number < 11; number++) {
      clock.advance(1);
      await workspace.memories.add(`fact ${number}`);
    }
    expect(await contents()).not.toContain("fact 0");
    await workspace.extractNow();
    expect(await contents()).toContain("fact 0");
  });
});

it("is kept as a salted hash, at most 1000 of them, and goes when nothing older waits", async () => {
  const clock = new FixedClock();
  const world = await makeWorld({ clock, replies: ["[]"] });
  const { memories } = world.workspace;
  const file = join(world.dir, "memory", "extraction.json");
  const facts = async () => {
    const { forgotten } = JSON.parse(await readFile(file, "utf8"));
    return (forgotten?.facts ?? []) as { hash: string; at: number }[];
  };
  await world.say("waits");
  const { id } = await memories.add("Likes SECRETWORD");
  await memories.remove(id);
  expect(await readFile(file, "utf8")).not.toContain("SECRETWORD");
  const [first] = await facts();
  expect(await facts()).toEqual([{ hash: expect.stringMatching(/^[\w-]{22}$/), at: clock.time }]);

  // Another home has another salt.
  const other = await makeWorld({ clock });
  await other.workspace.memories.remove((await other.workspace.memories.add("Likes SECRETWORD")).id);
  expect(await readFile(join(other.dir, "memory", "extraction.json"), "utf8")).not.toContain(first?.hash);

  await world.workspace.settings.update({ aiMemoryLimit: 1000 });
  for (let round = 0; round < 2; round++) {
    await memories.save(
      Array.from({ length: 700 }, (_, index) => ({
        id: `${round}-${index}`,
        content: `fact ${round} ${index}`,
        createdAt: index,
        sourceScope: "global",
      })),
    );
    await memories.clear();
  }
  expect(await facts()).toHaveLength(1000);

  clock.advance(25 * 60 * 60 * 1000);
  await world.workspace.extractNow();
  expect(await facts()).toEqual([]);
});

it("after `clear` nothing readable of the memories is left, in temporary or set-aside files either", async () => {
  const world = await makeWorld();
  const folder = join(world.dir, "memory");
  await mkdir(folder, { recursive: true });
  const left = ["memory.json.corrupt-20260101T000000000Z", ".memory.json.next", ".memory.json.next.4711"];
  for (const name of left) await writeFile(join(folder, name), "SECRETWORD");
  await writeFile(join(folder, "memory.json"), '{"SECRETWORD":');
  await world.workspace.memories.add("SECRETWORD");
  expect((await readdir(folder)).filter((name) => name.includes("corrupt"))).toHaveLength(2);
  await writeFile(join(folder, "memory.json.mine"), "a file of the user's own");

  expect(await world.workspace.memories.clear()).toBe(1);
  const names = await readdir(folder);
  expect(names).toContain("memory.json.mine");
  for (const name of names) {
    expect(await readFile(join(folder, name), "utf8").catch(() => "")).not.toContain("SECRETWORD");
  }
});

describe("a credential", () => {
  const key = ["sk", "proj", "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGh"].join("-");

  it("is refused by `add` and `update`, with a code and without its words", async () => {
    const { workspace, contents } = await makeWorld();
    const { id } = await workspace.memories.add("Uses pnpm");
    for (const call of [
      () => workspace.memories.add(`The key is ${key}`),
      () => workspace.memories.update(id, `The key is ${key}`),
    ]) {
      const error = await call().catch((error: unknown) => error);
      expect(error).toMatchObject({ code: "ERR_MEMORY_SECRET" });
      expect(String(error)).not.toContain(key);
    }
    expect(await contents()).toEqual(["Uses pnpm"]);
  });

  it("is stored where a person says so", async () => {
    const { workspace, contents } = await makeWorld();
    const { id } = await workspace.memories.add(`The key is ${key}`, { allowSecret: true });
    await workspace.memories.update(id, `The old key is ${key}`, { allowSecret: true });
    expect(await contents()).toEqual([`The old key is ${key}`]);
  });
});
