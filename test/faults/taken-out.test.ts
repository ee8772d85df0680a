import { describe, expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { failingStore } from "../extraction/failing-store.js";
import { fact, longTalk, makeWorld } from "../extraction/world.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { providerError } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const turn = (name: string, text = name) => [
  { role: "user", content: text, id: `${name}-u` },
  { role: "assistant", content: "ok", id: `${name}-a` },
];

describe("what was taken out of the queue doesn't come back by a resumed turn", () => {
  it("cleared by a person", async () => {
    const { workspace } = await makeWorld();
    await workspace.recordTurn("s", turn("one"));
    await workspace.recordTurn("other", turn("two"));
    expect(await workspace.waiting.clear()).toBe(4);
    await workspace.recordTurn("s", turn("one"));
    await workspace.recordTurn("other", turn("two"));
    expect(await workspace.waiting.count()).toMatchObject({ messages: 0 });
    await workspace.recordTurn("s", turn("three"));
    expect(await workspace.waiting.count()).toMatchObject({ messages: 2 });
  });

  it("cleared with the memories", async () => {
    const { workspace } = await makeWorld();
    await workspace.recordTurn("s", turn("one"));
    await workspace.memories.clear({ waiting: true });
    await workspace.recordTurn("s", turn("one"));
    expect(await workspace.waiting.count()).toMatchObject({ messages: 0 });
  });

  it("passed over beyond `maxWaitingChars`", async () => {
    const { workspace } = await makeWorld({ maxWaitingChars: 3000 });
    await workspace.recordTurn("s", turn("one", "1".repeat(2000)));
    await workspace.recordTurn("s", turn("two", "2".repeat(2000)));
    await workspace.idle();
    const left = await workspace.store.waiting.read();
    expect(left.map(({ id }) => id)).toEqual(["one-a", "two-u", "two-a"]);
    await workspace.recordTurn("s", turn("one", "1".repeat(2000)));
    await workspace.idle();
    expect(await workspace.store.waiting.read()).toEqual(left);
  });

  it("of very many sessions those that spoke last are marked, so that it takes no minutes", async () => {
    const { workspace } = await makeWorld();
    for (let session = 0; session < 120; session++) await workspace.recordTurn(`s${session}`, turn("one"));
    expect(await workspace.waiting.clear()).toBe(240);
    expect(await workspace.sessions.list()).toHaveLength(100);
    await workspace.recordTurn("s119", turn("one"));
    expect(await workspace.waiting.count()).toMatchObject({ messages: 0 });
  });
});

it("a session removed just before its cursor is written does not come back", async () => {
  const dir = await temporaryFolder();
  const person = new MemoryWorkspace({ dir, logger: new CollectingLogger() });
  let removed = 0;
  const store = failingStore(person.store, () => undefined);
  const sessions = new Proxy(person.store.sessions, {
    get(target, name) {
      if (name !== "change") {
        const method = Reflect.get(target, name) as unknown;
        return typeof method === "function" ? method.bind(target) : method;
      }
      return async (...given: Parameters<typeof target.change>) => {
        // The check is over, the cursor not yet written.
        if (await person.sessions.remove("s1")) removed++;
        return target.change(...given);
      };
    },
  });
  const world = await makeWorld({ dir, store: { ...store, sessions }, replies: [fact("Uses zsh")] });
  await world.say(longTalk);
  expect(removed).toBe(1);
  expect(await person.sessions.list()).toEqual([]);
  expect(await person.waiting.count()).toMatchObject({ messages: 0 });
});

it("what one session's part fails at is not made good by another's success", async () => {
  const isPoisonous = (text: unknown) => String(text).includes("poison");
  const world = await makeWorld({
    replies: [
      (messages) => {
        if (isPoisonous(messages.at(-1)?.content)) throw providerError(400, "refused");
        return "[]";
      },
    ],
  });
  await world.say("poison", { session: "bad" });
  for (let round = 0; round < 12; round++) {
    expect(await world.workspace.extractNow("bad")).toBeDefined();
    await world.say(`fine ${round}`, { session: "good" });
    expect(await world.workspace.extractNow("good")).toMatchObject({ remaining: 0 });
  }
  // Halved, and the one message passed over: without the fix it is asked for ever.
  expect(await world.workspace.waiting.count()).toMatchObject({ messages: 0 });
  expect(world.logger.all).toContain("was passed over");
});

it("a good session is not asked in small parts for what another failed at", async () => {
  const world = await makeWorld({
    replies: [
      (messages) => {
        if (String(messages.at(-1)?.content).includes("poison")) throw providerError(400, "refused");
        return "[]";
      },
    ],
  });
  await world.say("poison", { session: "bad" });
  for (let attempt = 0; attempt < 3; attempt++) await world.workspace.extractNow("bad");
  for (let turn = 0; turn < 5; turn++) await world.say("fine", { session: "good" });
  expect(await world.workspace.extractNow("good")).toMatchObject({ requests: 1, remaining: 0 });
});
