import { ConversationChain, LLMChain } from "@langchain/classic/chains";
import { BufferMemory } from "@langchain/classic/memory";
import type { BaseMemory } from "@langchain/core/memory";
import { PromptTemplate } from "@langchain/core/prompts";
import { expect, expectTypeOf, test } from "vitest";
import { CrossSessionMemory } from "../../src/index.js";
import { sendStatus } from "../support/model-server.js";
import { chainWorld } from "./world.js";

test("stands in a ConversationChain where BufferMemory stood, with the same prompt where there is nothing to add", async () => {
  const world = await chainWorld({ reply: (_, index) => `answer ${index}` });
  expectTypeOf<CrossSessionMemory>().toExtend<BaseMemory>();

  for (const memory of [new BufferMemory(), world.memoryOf()]) {
    const chain = new ConversationChain({ llm: world.model, memory });
    await chain.invoke({ input: "My name is Lin." });
    await chain.invoke({ input: "And I like zsh." });
  }

  const [first, second, ourFirst, ourSecond] = world.server.requests.map(({ messages }) => messages);
  expect(ourFirst).toEqual(first);
  expect(JSON.stringify(ourSecond)).toBe(JSON.stringify(second).replace("answer 0", "answer 2"));
  expect(world.memoryOf({ memoryKey: "past" }).memoryKeys).toEqual(["past"]);
  expect(world.memoryOf().memoryKeys).toEqual(["history"]);
});

test("loadMemoryVariables gives, under memoryKey, the context followed by the conversation as text", async () => {
  const world = await chainWorld();
  await world.write("rules/a.md", "Answer in one line.");
  await world.write("skills/b.md", "Restart nginx with care.");
  await world.workspace.memories.add("The user prefers zsh.");
  const memory = world.memoryOf({
    memoryKey: "past",
    sessionContext: "Ticket 7 is open.",
    planContext: () => "1. look, 2. mend",
  });
  await memory.saveContext({ input: "Hi" }, { output: "Hello" });

  const { past, ...others } = await memory.loadMemoryVariables({ input: "again" });

  expect(others).toEqual({});
  expect(past).toBe(
    [
      "# User rules (constraints and preferences set by the user)\n\n## a\nAnswer in one line.",
      "# User skills (domain knowledge and procedures provided by the user)\n\n## b\nRestart nginx with care.",
      "# Cross-session memory (facts remembered from your earlier conversations with the user)\n\n- The user prefers zsh.",
      "# Session context\n\nTicket 7 is open.",
      "# Current plan\n\n1. look, 2. mend",
      "Human: Hi\nAI: Hello",
    ].join("\n\n"),
  );
});

test("with returnMessages gives one system message with the context, then the messages", async () => {
  const world = await chainWorld();
  await world.write("rules/a.md", "Answer in one line.");
  const memory = world.memoryOf({ returnMessages: true });
  await memory.saveContext({ input: "Hi" }, { output: "Hello" });

  const { history } = await memory.loadMemoryVariables({});

  expect(history.map((message: { getType(): string }) => message.getType())).toEqual([
    "system",
    "human",
    "ai",
  ]);
  expect(history.map(({ content }: { content: string }) => content)).toEqual([
    "# User rules (constraints and preferences set by the user)\n\n## a\nAnswer in one line.",
    "Hi",
    "Hello",
  ]);
});

test("with returnMessages and nothing to inject gives the messages alone", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf({ returnMessages: true });
  expect(await memory.loadMemoryVariables({})).toEqual({ history: [] });
  await memory.saveContext({ input: "Hi" }, { output: "Hello" });
  const { history } = await memory.loadMemoryVariables({});
  expect(history.map((message: { getType(): string }) => message.getType())).toEqual(["human", "ai"]);
});

test("humanPrefix and aiPrefix name the speakers", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf({ humanPrefix: "用户", aiPrefix: "助手" });
  await memory.saveContext({ input: "Hi" }, { output: "Hello" });
  expect(await memory.loadMemoryVariables({})).toEqual({ history: "用户: Hi\n助手: Hello" });
});

test("a restarted process goes on with the same session, and another session knows nothing of it", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf({ sessionId: "monday/1" });
  await world.chainOf(memory).invoke({ input: "My cat is called Ada." });

  const restarted = new CrossSessionMemory({ workspace: world.openWorkspace(), sessionId: "monday/1" });
  await world.chainOf(restarted).invoke({ input: "What is she called?" });
  await world.chainOf(world.memoryOf()).invoke({ input: "And now?" });

  expect(world.promptOf(1)).toContain("Human: My cat is called Ada.\nAI: fine\n");
  expect(world.promptOf(2)).not.toContain("Ada");
});

test("a session that is given no id gets a fresh random one", async () => {
  const world = await chainWorld();
  const [one, other] = [world.memoryOf(), world.memoryOf()];
  expect(one.sessionId).toMatch(/^[\da-f-]{36}$/);
  expect(other.sessionId).not.toBe(one.sessionId);
});

test("facts that were learned in one session are in the next one's prompt", async () => {
  const world = await chainWorld({
    structuredOutput: "off",
    extractionTriggerChars: 30,
    reply: ({ messages }) =>
      messages[0]?.role === "system" ? '[{"content":"The user deploys on Fridays."}]' : "noted",
  });
  await world.chainOf(world.memoryOf()).invoke({ input: "We always deploy on Fridays, remember." });
  await world.workspace.idle();
  await world.chainOf(world.memoryOf()).invoke({ input: "When do we deploy?" });

  expect(world.promptOf(-1)).toContain("- The user deploys on Fridays.");
});

test("curly braces in a memory, a rule or the conversation reach the model char for char", async () => {
  const world = await chainWorld();
  const rule = "Write function f(a){return a+b} and {{x}} as they are, and {input} too.";
  await world.write("rules/braces.md", rule);
  await world.workspace.memories.add("Formats dates as {yyyy}-{mm} and $& or $1");
  const chain = world.chainOf(world.memoryOf());
  await chain.invoke({ input: "What is {history} and {{y}}?" });
  await chain.invoke({ input: "again" });

  expect(world.promptOf(1)).toContain(rule);
  expect(world.promptOf(1)).toContain("- Formats dates as {yyyy}-{mm} and $& or $1");
  expect(world.promptOf(1)).toContain("Human: What is {history} and {{y}}?");
});

test("the same files and memories give the same bytes, whatever the time and the session", async () => {
  const world = await chainWorld();
  await world.write("rules/a.md", "Answer in one line.");
  await world.workspace.memories.add("The user prefers zsh.");
  const texts = new Set<string>();
  for (let turn = 0; turn < 3; turn++) {
    texts.add((await world.memoryOf({ returnMessages: true }).loadMemoryVariables({})).history[0].content);
    world.clock.advance(86_400_000);
  }
  expect(texts.size).toBe(1);
});

test("an edited rule is in the very next call", async () => {
  const world = await chainWorld();
  const chain = world.chainOf(world.memoryOf());
  await world.write("rules/a.md", "Be short.");
  await chain.invoke({ input: "one" });
  await world.write("rules/a.md", "Be long.");
  await chain.invoke({ input: "two" });
  expect(world.promptOf(0)).toContain("Be short.");
  expect(world.promptOf(1)).toContain("Be long.");
});

test("a turn whose model call fails leaves nothing behind", async () => {
  const world = await chainWorld({ reply: (_, index) => (index === 0 ? sendStatus(500) : "fine") });
  const chain = world.chainOf(world.memoryOf());
  await expect(chain.invoke({ input: "lost" })).rejects.toThrow();
  await chain.invoke({ input: "kept" });
  expect(world.promptOf(1)).not.toContain("lost");
  expect(await world.workspace.waiting.count()).toMatchObject({ messages: 2 });
});

test("stop words, signals and tools that a chain is called with are no inputs", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf();
  const chain = new LLMChain({
    llm: world.model,
    memory,
    prompt: PromptTemplate.fromTemplate("{history}\n{question}"),
  });
  await chain.invoke({
    question: "Hi",
    stop: ["END"],
    tool_choice: "none",
    timeout: 60_000,
    signal: new AbortController().signal,
  });
  expect(world.server.requests[0]).toMatchObject({ stop: ["END"], tool_choice: "none" });
  expect(await memory.loadMemoryVariables({})).toEqual({ history: "Human: Hi\nAI: fine" });
});

test("a fault of the store or of the app's own function costs the context and not the conversation", async () => {
  const world = await chainWorld();
  const settings = { read: () => Promise.reject(new Error("secret words")), change: () => Promise.resolve() };
  const broken = { ...world.workspace.store, settings, forUser: () => broken, deleteUser: async () => false };
  const workspace = world.openWorkspace({ store: broken as never });
  const memory = new CrossSessionMemory({
    workspace,
    sessionContext: () => {
      throw new Error("secret words");
    },
  });
  const { response } = await world.chainOf(memory).invoke({ input: "Hi" });
  expect(response).toBe("fine");
  expect(world.logger.all).not.toContain("secret words");
  expect(world.logger.all).toContain("sessionContext");
});
