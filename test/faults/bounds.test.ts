import { Hash } from "node:crypto";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { safeName } from "../../src/files/index.js";
import { fact, longTalk, makeWorld, readRequest } from "../extraction/world.js";

/** 10,000 sessions, as many turns of old conversations leave them. */
async function manySessions(dir: string): Promise<void> {
  await mkdir(join(dir, "chats"), { recursive: true });
  for (let start = 0; start < 10_000; start += 100) {
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const sessionId = `old-${start + index}`;
        const record = { sessionId, seen: [{ id: "m1", hash: "x" }], extractedUpTo: "m1", extractedAt: 1 };
        return writeFile(join(dir, "chats", `${safeName(sessionId)}.json`), JSON.stringify(record));
      }),
    );
  }
}

it("with 10,000 sessions in chats/ a turn touches its own file alone, and the list shows all", async () => {
  const world = await makeWorld({ replies: [fact("Uses zsh")] });
  await manySessions(world.dir);
  await world.say(longTalk, { session: "new" });
  expect(await world.contents()).toEqual(["Uses zsh"]);
  const names = await readdir(join(world.dir, "chats"));
  expect(names).toHaveLength(10_001);

  const promises = await import("node:fs/promises");
  const listed = vi.spyOn(promises.default, "readdir");
  const read = vi.spyOn(promises.default, "readFile");
  await world.workspace.recordTurn("new", [
    { role: "user", content: "another turn", id: "u" },
    { role: "assistant", content: "ok", id: "a" },
  ]);
  expect(listed).not.toHaveBeenCalled();
  expect(read.mock.calls.length).toBeLessThan(5);
  vi.restoreAllMocks();

  const sessions = await world.workspace.sessions.list();
  expect(sessions).toHaveLength(10_001);
  expect(await world.workspace.sessions.remove("old-77")).toBe(true);
  expect(await readdir(join(world.dir, "chats"))).toHaveLength(10_000);
}, 180_000);

it("a session's record stays small, however long the session is", async () => {
  const world = await makeWorld({ extractionTriggerChars: 1 });
  for (let turn = 0; turn < 100; turn++) {
    await world.workspace.recordTurn("s1", [
      { role: "user", content: `turn ${turn}`, id: `u${turn}-${"x".repeat(30)}` },
      { role: "assistant", content: "ok", id: `a${turn}-${"x".repeat(30)}` },
    ]);
  }
  await world.workspace.idle();
  await world.workspace.extractNow();
  const { size } = await stat(join(world.dir, "chats", "s1.json"));
  expect(size).toBeLessThan(64 * 100);
  const record = JSON.parse(await readFile(join(world.dir, "chats", "s1.json"), "utf8"));
  expect(record.seen).toHaveLength(64);
});

it("a request is at most known + chunk + 4000 characters, whatever was said and is known", async () => {
  const [chunk, known] = [5000, 2000];
  const world = await makeWorld({
    limit: 1000,
    extractionTriggerChars: 1,
    extractionChunkChars: chunk,
    extractionKnownChars: known,
  });
  const nasty = [
    '"'.repeat(8000),
    "\u0001".repeat(9000),
    "\\\n".repeat(7000),
    "👩‍👩‍👧".repeat(3000),
    "话".repeat(50_000),
  ];
  for (let number = 0; number < 60; number++) {
    await world.workspace.memories.add(`${number} ${'\\"'.repeat(90)}`);
  }
  for (const [index, text] of nasty.entries()) await world.say(text, { session: `"${index}"`, answer: text });
  for (let turn = 0; turn < 100; turn++) await world.say("hm", { session: `s${turn}` });
  await world.workspace.extractNow();
  expect(world.model.requests.length).toBeGreaterThan(5);
  for (let index = 0; index < world.model.requests.length; index++) {
    const { system, user } = readRequest(world.model, index);
    expect([...system, ...user].length).toBeLessThanOrEqual(known + chunk + 4000);
  }
});

it("a turn of a session with 10,000 messages waiting hashes none of them", async () => {
  const world = await makeWorld({ extractionTriggerChars: 1_000_000, extractionChunkChars: 1_000_000 });
  const message = (id: string, role: "user" | "assistant", content = "word") => ({ role, content, id });
  const users = Array.from({ length: 10_000 }, (_, index) => message(`u${index}`, "user"));
  await world.workspace.recordTurn("s1", [...users, message("a", "assistant")]);
  expect(await world.workspace.waiting.count()).toMatchObject({ messages: 10_001 });
  // What a temporary run left in memory is known by hashes, so from here on the turn's own messages are hashed.
  await world.workspace.recordTurn("s1", [message("u-off", "user", "off")], { isTemporary: true });
  await world.workspace.idle();
  const hashed = vi.spyOn(Hash.prototype, "update");
  await world.workspace.recordTurn("s1", [message("u-new", "user"), message("a-new", "assistant")]);
  const calls = hashed.mock.calls.length;
  vi.restoreAllMocks();
  expect(calls).toBeGreaterThan(0);
  expect(calls).toBeLessThan(10);
  expect(await world.workspace.waiting.count()).toMatchObject({ messages: 10_003 });
});

it("the queue is read as often for a part of a hundred sessions as for a part of one", async () => {
  const world = await makeWorld({ extractionTriggerChars: 1_000_000, extractionChunkChars: 1_000_000 });
  const readsFor = async (sessions: number) => {
    for (let index = 0; index < sessions; index++) {
      await world.workspace.recordTurn(`${sessions}-${index}`, [
        ["human", `question ${index}`],
        ["ai", "answer"],
      ]);
    }
    const read = vi.spyOn(world.workspace.store.waiting, "read");
    expect(await world.workspace.extractNow()).toMatchObject({ requests: 1, remaining: 0 });
    const reads = read.mock.calls.length;
    read.mockRestore();
    return reads;
  };
  expect(await readsFor(100)).toBe(await readsFor(1));
});
