import { chmod, mkdir, readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { InMemoryChatMessageHistory } from "@langchain/core/chat_history";
import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { expect, test } from "vitest";
import { chainWorld, isExtractionRequest } from "./world.js";

test("the history is a file of its own, one message a line, appended and readable by its owner alone", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf({ sessionId: "s" });
  await memory.saveContext({ input: "one\ntwo" }, { output: "three" });
  const first = await world.read("chats/s.jsonl");
  await memory.saveContext({ input: "four" }, { output: "five" });
  const second = await world.read("chats/s.jsonl");

  expect(second.startsWith(first)).toBe(true);
  const lines = second
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ message }) => [message.type, message.data.content])).toEqual([
    ["human", "one\ntwo"],
    ["ai", "three"],
    ["human", "four"],
    ["ai", "five"],
  ]);
  expect((await stat(join(world.dir, "chats/s.jsonl"))).mode & 0o777).toBe(0o600);
});

test("a history that can't be written lets the conversation go on and is written later", async () => {
  const world = await chainWorld({ reply: (_, index) => `answer ${index}` });
  const inItsPlace = join(world.dir, "chats/s.jsonl");
  await mkdir(inItsPlace, { recursive: true });
  const chain = world.chainOf(world.memoryOf({ sessionId: "s" }));
  await chain.invoke({ input: "one" });
  await chain.invoke({ input: "two" });
  expect(world.promptOf(1)).toContain("Human: one\nAI: answer 0");
  expect(world.logger.warnings.filter((line) => line.includes("written"))).toHaveLength(1);

  await rmdir(inItsPlace);
  await chain.invoke({ input: "three" });

  const restarted = world.memoryOf({ workspace: world.openWorkspace(), sessionId: "s" });
  expect(await restarted.loadMemoryVariables({})).toEqual({
    history: "Human: one\nAI: answer 0\nHuman: two\nAI: answer 1\nHuman: three\nAI: answer 2",
  });
  expect(world.logger.all).not.toMatch(/one|answer/);
});

test("a line of the history that nobody can read costs no other line", async () => {
  const world = await chainWorld();
  await world.memoryOf({ sessionId: "s" }).saveContext({ input: "one" }, { output: "two" });
  const text = await world.read("chats/s.jsonl");
  const odd = JSON.stringify({ entryId: "odd", session: "s", message: { type: "hologram", data: {} } });
  await world.write("chats/s.jsonl", `${odd}\nnot JSON\n${text}`);
  const restarted = world.memoryOf({ workspace: world.openWorkspace(), sessionId: "s" });
  expect(await restarted.loadMemoryVariables({})).toEqual({ history: "Human: one\nAI: two" });
});

test("any message history of LangChain keeps the conversation in place of the file", async () => {
  const world = await chainWorld();
  const chatHistory = new InMemoryChatMessageHistory([new HumanMessage("before"), new AIMessage("us")]);
  const memory = world.memoryOf({ chatHistory, sessionId: "s" });
  await world.chainOf(memory).invoke({ input: "Hi" });

  expect(world.promptOf(0)).toContain("Human: before\nAI: us");
  expect((await chatHistory.getMessages()).map(({ content }) => content)).toEqual([
    "before",
    "us",
    "Hi",
    "fine",
  ]);
  expect(await world.workspace.waiting.count()).toMatchObject({ messages: 2 });
  expect(await readdir(join(world.dir, "chats")).catch(() => [])).toEqual([]);
  await memory.clear();
  expect(await chatHistory.getMessages()).toEqual([]);
});

test("a message history that is out of reach costs the conversation nothing, and the turn is learned all the same", async () => {
  const world = await chainWorld();
  const chatHistory = new InMemoryChatMessageHistory();
  const down = () => Promise.reject(Object.assign(new Error("secret words"), { code: "ECONNREFUSED" }));
  chatHistory.getMessages = down;
  chatHistory.addMessages = down;
  const chain = world.chainOf(world.memoryOf({ chatHistory }));
  expect(await chain.invoke({ input: "Hi" })).toMatchObject({ response: "fine" });
  expect(await chain.invoke({ input: "Hi" })).toMatchObject({ response: "fine" });
  expect(await world.workspace.waiting.count()).toMatchObject({ messages: 4 });
  expect(world.logger.warnings).toHaveLength(2);
  expect(world.logger.all).toContain("ECONNREFUSED");
  expect(world.logger.all).not.toContain("secret words");
});

test("system messages in a history of the app's become one with the context, and nothing of them is learned", async () => {
  const world = await chainWorld();
  await world.workspace.memories.add("The user prefers dark mode.");
  const chatHistory = new InMemoryChatMessageHistory([
    new SystemMessage("Be kind."),
    new HumanMessage("Hi"),
    new AIMessage("Hello"),
    new SystemMessage("# Cross-session memory\n- The user prefers dark mode."),
  ]);
  const memory = world.memoryOf({ chatHistory, returnMessages: true });
  const { history } = await memory.loadMemoryVariables({});
  expect(history.map((message: { getType(): string }) => message.getType())).toEqual([
    "system",
    "human",
    "ai",
  ]);
  expect(history[0].content.startsWith("Be kind.\n\n")).toBe(true);
  expect(history[0].content.trimEnd().endsWith("- The user prefers dark mode.")).toBe(true);
  await memory.saveContext({ input: "one" }, { output: "two" });
  expect(await world.read("memory/waiting.jsonl")).not.toContain("dark mode");
});

test("ten turns with an extractor that echoes what it is sent learn nothing of the context", async () => {
  const world = await chainWorld({
    structuredOutput: "off",
    extractionTriggerChars: 1,
    reply: (request) => {
      if (!isExtractionRequest(request)) return "fine";
      const [, conversation = ""] = String(request.messages[1]?.content).split("[New conversation]\n");
      const said = conversation.split("\n").map((line) => (JSON.parse(line) as { content: string }).content);
      return JSON.stringify(said.map((content) => ({ content })));
    },
  });
  await world.write("rules/a.md", "Always answer in haiku");
  await world.workspace.memories.add("Prefers dark mode");
  const chain = world.chainOf(world.memoryOf({ sessionContext: "Ticket 7 is open." }));
  for (let turn = 0; turn < 10; turn++) {
    await chain.invoke({ input: `small talk ${turn}` });
    await world.workspace.idle();
  }
  expect(world.promptOf(0)).toContain("Prefers dark mode");
  const contents = (await world.workspace.memories.list()).map(({ content }) => content);
  const talk = Array.from({ length: 10 }, (_, turn) => `small talk ${turn}`);
  expect(contents.sort()).toEqual(["Prefers dark mode", "fine", ...talk].sort());
});

test("clear forgets the session's conversation; memories and what waits to be learned stay", async () => {
  const world = await chainWorld();
  await world.workspace.memories.add("The user prefers zsh.");
  const memory = world.memoryOf({ sessionId: "s" });
  await memory.saveContext({ input: "one" }, { output: "two" });
  await memory.clear();
  const { history } = await memory.loadMemoryVariables({});
  expect(history).toContain("The user prefers zsh.");
  expect(history).not.toContain("Human: one");
  expect(await world.workspace.waiting.count()).toMatchObject({ messages: 2 });
  await memory.saveContext({ input: "three" }, { output: "four" });
  expect((await memory.loadMemoryVariables({})).history).toMatch(/\n\nHuman: three\nAI: four$/);
  expect(await world.read("chats/s.jsonl")).not.toContain('"one"');
});

test("a session that another process removed right after its first turn does not go on here", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf({ sessionId: "s" });
  await memory.loadMemoryVariables({});
  await memory.saveContext({ input: "one" }, { output: "two" });
  await world.openWorkspace().sessions.remove("s");
  expect((await memory.loadMemoryVariables({})).history).not.toContain("one");
  await memory.saveContext({ input: "three" }, { output: "four" });
  expect((await memory.loadMemoryVariables({})).history).toMatch(/^Human: three\nAI: four$/);
});

test("a turn that is being saved when the session is cleared does not come back", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf({ sessionId: "s" });
  await Promise.all([
    memory.saveContext({ input: "one" }, { output: "two" }),
    tick().then(() => memory.clear()),
  ]);
  const restarted = world.memoryOf({ workspace: world.openWorkspace(), sessionId: "s" });
  expect([await memory.loadMemoryVariables({}), await restarted.loadMemoryVariables({})]).toEqual([
    { history: "" },
    { history: "" },
  ]);
});

test("two instances of one session in one process see each other's turns, in their order", async () => {
  const world = await chainWorld();
  const one = world.memoryOf({ sessionId: "s" });
  const other = world.memoryOf({ sessionId: "s", workspace: world.openWorkspace() });
  await one.saveContext({ input: "1" }, { output: "a" });
  await other.saveContext({ input: "2" }, { output: "b" });
  await one.saveContext({ input: "3" }, { output: "c" });
  const expected = { history: "Human: 1\nAI: a\nHuman: 2\nAI: b\nHuman: 3\nAI: c" };
  expect(await one.loadMemoryVariables({})).toEqual(expected);
  expect(await other.loadMemoryVariables({})).toEqual(expected);
  await one.clear();
  expect(await other.loadMemoryVariables({})).toEqual({ history: "" });
});

test("a load that begins before a save has ended never shows less than was said", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf();
  for (let turn = 0; turn < 30; turn++) {
    const loading = memory.loadMemoryVariables({});
    const saving = memory.saveContext({ input: `q${turn}` }, { output: `a${turn}` });
    const again = memory.loadMemoryVariables({});
    await Promise.all([loading, saving, again]);
    expect((await memory.loadMemoryVariables({})).history.split("\n")).toHaveLength(2 * (turn + 1));
  }
});

test("a batch of sessions at once keeps each one's conversation apart and queues them all", async () => {
  const world = await chainWorld({
    reply: ({ messages }) =>
      `to ${String(messages.at(-1)?.content)
        .match(/user \d+/g)
        ?.at(-1)}`,
  });
  const sessions = Array.from({ length: 20 }, (_, number) => world.memoryOf({ sessionId: `user ${number}` }));
  const chains = RunnableLambda.from((number: number) =>
    world.chainOf(sessions[number] ?? world.memoryOf()).invoke({ input: `I am user ${number}` }),
  );
  await chains.batch(sessions.map((_, number) => number));
  for (const [number, memory] of sessions.entries()) {
    expect(await memory.loadMemoryVariables({})).toEqual({
      history: `Human: I am user ${number}\nAI: to user ${number}`,
    });
  }
  expect(await world.workspace.waiting.count()).toMatchObject({ messages: 40, sessions: 20 });
});

test.skipIf(process.getuid?.() === 0)(
  "a folder that can't be written lets the conversation go on",
  async () => {
    const world = await chainWorld();
    await chmod(world.dir, 0o500);
    const chain = world.chainOf(world.memoryOf());
    await chain.invoke({ input: "one" });
    expect(await chain.invoke({ input: "two" })).toMatchObject({ response: "fine" });
    expect(world.promptOf(1)).toContain("Human: one");
    await chmod(world.dir, 0o700);
    await rm(world.dir, { recursive: true, force: true });
  },
);

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
