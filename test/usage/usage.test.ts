import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InMemoryStore } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { LangGraphMemoryStore } from "../../src/memory/langgraph-memory-store.js";
import { diskError, failingStore } from "../extraction/failing-store.js";
import { fact, longTalk, makeWorld } from "../extraction/world.js";
import { FixedClock } from "../support/clock.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { providerError, ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const dayMs = 24 * 60 * 60 * 1000;
/** Noon, so that the local date is the same in every time zone in use but a few. */
const noon = new Date(2026, 11, 1, 12).getTime();

const sizeOf = (model: ScriptedModel) =>
  model.requests
    .flat()
    .map(({ content }) => [...String(content)].length)
    .reduce((sum, length) => sum + length, 0);

describe("`usage` tells what learning cost and brought", () => {
  it("requests, characters sent, facts stored and failures, by local day, newest last", async () => {
    const clock = new FixedClock(noon);
    const replies = [fact("Likes tea"), providerError(500), "not JSON", fact("Uses zsh")];
    const world = await makeWorld({ clock, locale: "en", replies });
    expect(await world.workspace.usage()).toEqual([]);

    await world.say(longTalk);
    const first = sizeOf(world.model);
    expect(await world.workspace.usage()).toEqual([
      { day: "2026-12-01", extractions: 1, requests: 1, characters: first, stored: 1, failures: 0 },
    ]);

    await world.say(longTalk);
    await world.say("more");
    const second = sizeOf(world.model);
    expect(await world.workspace.usage()).toEqual([
      { day: "2026-12-01", extractions: 3, requests: 3, characters: second, stored: 1, failures: 2 },
    ]);

    clock.advance(dayMs);
    await world.say("and more");
    expect(await world.workspace.usage()).toMatchObject([
      { day: "2026-12-01", extractions: 3 },
      { day: "2026-12-02", extractions: 1, requests: 1, stored: 1, failures: 0 },
    ]);
  });

  it("a request that is made twice counts twice", async () => {
    const model = new ScriptedModel("[]");
    const refused = Object.assign(model, {
      withStructuredOutput: () => ({
        invoke: () => Promise.reject(providerError(400, "response_format is not supported")),
      }),
    });
    const world = await makeWorld({ model: refused as never, locale: "en" });
    await world.say(longTalk);
    const [day] = await world.workspace.usage();
    expect(day).toMatchObject({ extractions: 1, requests: 2 });
    expect(day?.characters).toBe(2 * sizeOf(model));
  });

  it("is kept across restarts, counted by all processes together, and holds 30 days", async () => {
    const clock = new FixedClock(noon);
    const dir = await temporaryFolder();
    for (let day = 0; day < 40; day++) {
      const world = await makeWorld({ dir, clock });
      await world.say(longTalk);
      clock.advance(dayMs);
    }
    clock.advance(-dayMs);
    const other = await makeWorld({ dir, clock });
    await other.say(longTalk);
    const usage = await other.workspace.usage();
    expect(usage).toHaveLength(30);
    expect(usage[0]?.day).toBe("2026-12-11");
    expect(usage.at(-1)).toMatchObject({ day: "2027-01-09", extractions: 2, requests: 2 });
    clock.advance(10 * dayMs);
    expect(await other.workspace.usage()).toHaveLength(20);
  });

  it("what can't be written is kept, and goes with the next that can", async () => {
    const dir = await temporaryFolder();
    const logger = new CollectingLogger();
    const { store } = new MemoryWorkspace({ dir, logger });
    let isFull = true;
    const failing = failingStore(store, (call) =>
      isFull && call === "extraction.change" ? diskError() : undefined,
    );
    const world = await makeWorld({ dir, store: failing, replies: [providerError(500), fact("Likes tea")] });
    await world.say(longTalk);
    expect(await world.workspace.usage()).toMatchObject([{ requests: 1, failures: 1 }]);
    expect(await store.extraction.read()).not.toHaveProperty("usage");
    isFull = false;
    await world.say("more");
    expect((await store.extraction.read()).usage).toMatchObject([{ requests: 2, stored: 1, failures: 1 }]);
  });

  it("nothing else changes in the state by it, and a file that holds nonsense is no fault", async () => {
    const world = await makeWorld();
    await world.say(longTalk);
    const file = join(world.dir, "memory", "extraction.json");
    const state = JSON.parse(await readFile(file, "utf8")) as object;
    const [day] = await world.workspace.usage();
    for (const usage of [null, 3, "x", [null, 3, { day: 5 }, { day: "2026-99" }], { day: "2026-12-01" }]) {
      await writeFile(file, JSON.stringify({ ...state, usage }));
      expect(await world.workspace.usage()).toEqual([]);
    }
    await writeFile(file, JSON.stringify({ ...state, usage: [{ ...day, requests: -5, stored: "many" }] }));
    expect(await world.workspace.usage()).toMatchObject([{ requests: 0, stored: 0 }]);
    await world.say(longTalk);
    expect(await world.workspace.usage()).toMatchObject([{ extractions: 2, requests: 1 }]);
  });

  it("each user's is their own, and in another home it is kept too", async () => {
    const home = new LangGraphMemoryStore(new InMemoryStore() as never, { namespace: ["app"] });
    const world = await makeWorld({ store: home });
    const anna = world.workspace.forUser("anna");
    await anna.recordTurn("s", [
      ["human", longTalk],
      ["ai", "ok"],
    ]);
    await world.workspace.idle();
    expect(await anna.usage()).toMatchObject([{ requests: 1 }]);
    expect(await world.workspace.usage()).toEqual([]);
    const again = await makeWorld({ store: home });
    expect(await again.workspace.forUser("anna").usage()).toMatchObject([{ requests: 1 }]);
  });
});

describe("`maxExtractionsPerDay`", () => {
  it("stops learning for the day with one warning, loses nothing, and goes on the next day", async () => {
    const clock = new FixedClock(noon);
    const world = await makeWorld({ clock, maxExtractionsPerDay: 2, replies: [fact("Likes tea")] });
    for (let turn = 0; turn < 6; turn++) await world.say(longTalk);
    expect(world.model.requests).toHaveLength(2);
    expect(world.logger.warnings).toEqual([
      expect.stringContaining("maxExtractionsPerDay (2) reached: nothing more is learned on 2026-12-01"),
    ]);
    expect(await world.workspace.waiting.count()).toMatchObject({ messages: 8 });
    expect(await world.workspace.usage()).toMatchObject([{ extractions: 2, failures: 0 }]);

    clock.advance(dayMs);
    await world.say("good morning");
    expect(world.model.requests).toHaveLength(3);
    expect(await world.workspace.waiting.count()).toMatchObject({ messages: 0 });
  });

  it("holds across processes and restarts, also where each is killed while the model is asked", async () => {
    const clock = new FixedClock(noon);
    const dir = await temporaryFolder();
    const { store } = new MemoryWorkspace({ dir, logger: new CollectingLogger() });
    // A process that is killed writes nothing more once it has asked.
    let asked = 0;
    const killed = () => {
      asked++;
      return Promise.reject(providerError(500));
    };
    for (let process = 0; process < 5; process++) {
      const before = asked;
      const dying = failingStore(store, (call) =>
        asked > before && call === "extraction.change" ? diskError("EIO") : undefined,
      );
      const world = await makeWorld({
        dir,
        clock,
        store: dying,
        maxExtractionsPerDay: 3,
        replies: [killed],
      });
      await world.say(longTalk);
    }
    expect(asked).toBe(3);
  });

  it("asks nothing where the attempt can't be written down before it", async () => {
    const dir = await temporaryFolder();
    const { store } = new MemoryWorkspace({ dir, logger: new CollectingLogger() });
    let isFull = true;
    const failing = failingStore(store, (call) =>
      isFull && call === "extraction.change" ? diskError() : undefined,
    );
    const world = await makeWorld({ dir, store: failing, maxExtractionsPerDay: 1 });
    for (let turn = 0; turn < 3; turn++) await world.say(longTalk);
    expect(world.model.requests).toHaveLength(0);
    isFull = false;
    await world.say("more");
    expect(world.model.requests).toHaveLength(1);
    expect(await world.workspace.usage()).toMatchObject([{ extractions: 1, failures: 3 }]);
  });

  it("`extractNow`, which a person calls, says so in `failure`", async () => {
    const world = await makeWorld({ maxExtractionsPerDay: 1, extractionChunkChars: 5000 });
    for (const session of ["a", "b", "c"]) await world.turnOf(3900, session);
    expect(await world.workspace.extractNow()).toEqual({
      requests: 0,
      stored: 0,
      remaining: 4,
      failure: { reason: "maxExtractionsPerDay (1) reached" },
    });
  });

  it("what was learned and could not be saved is saved all the same", async () => {
    const dir = await temporaryFolder();
    const { store } = new MemoryWorkspace({ dir, logger: new CollectingLogger() });
    let isFull = true;
    const failing = failingStore(store, (call) =>
      isFull && call === "memories.change" ? diskError() : undefined,
    );
    const world = await makeWorld({
      dir,
      store: failing,
      maxExtractionsPerDay: 1,
      replies: [fact("Likes tea")],
    });
    await world.say(longTalk);
    isFull = false;
    await world.say(longTalk);
    expect(await world.contents()).toEqual(["Likes tea"]);
    expect(world.model.requests).toHaveLength(1);
  });

  it.each([0, 1.5, 1_000_001, "5", null])("is an integer from 1 to 1 000 000, not %j", (value) => {
    expect(() => new MemoryWorkspace({ maxExtractionsPerDay: value as number })).toThrow(
      /maxExtractionsPerDay must be an integer from 1 to 1000000/,
    );
  });
});
