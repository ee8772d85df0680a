import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { expect, test } from "vitest";
import { toMessages } from "../../src/messages/to-messages.js";
import { chainWorld } from "./world.js";

test("several input keys and no inputKey throw in loadMemoryVariables, naming the keys and the option", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf();
  await expect(
    memory.loadMemoryVariables({ input: "hi", context: "doc", history: "" }),
  ).rejects.toMatchObject({
    code: "ERR_SEVERAL_INPUTS",
    message: expect.stringMatching(/input, context.*inputKey/),
  });
  await expect(world.chainOf(memory).invoke({ input: "hi", context: "doc" })).rejects.toThrow("inputKey");
  expect(world.server.requests).toHaveLength(0);
});

test("saveContext never throws behind the answer: what can't be told is one warning, and nothing is recorded", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf();
  for (let turn = 0; turn < 2; turn++) {
    await memory.saveContext({ input: "hi", context: "doc" }, { output: "yo" });
    await memory.saveContext({ input: "hi" }, { output: "yo", sources: [1] });
    await memory.saveContext({ input: "hi", context: "doc" }, { output: "yo", sources: [1] });
  }
  expect(world.logger.warnings).toEqual([
    expect.stringMatching(/input, context.*inputKey/),
    expect.stringMatching(/output, sources.*outputKey/),
  ]);
  expect(await memory.loadMemoryVariables({})).toEqual({ history: "" });
  expect(await world.workspace.waiting.count()).toEqual({ characters: 0, messages: 0, sessions: 0 });
});

test("with inputKey and outputKey only these two values are recorded", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf({ inputKey: "input", outputKey: "output" });
  expect(await memory.loadMemoryVariables({ input: "hi", context: "doc" })).toEqual({ history: "" });
  await memory.saveContext({ input: "hi", context: "doc" }, { output: "yo", sources: [1] });
  expect(await memory.loadMemoryVariables({})).toEqual({ history: "Human: hi\nAI: yo" });
  expect(await world.workspace.waiting.count()).toMatchObject({ characters: 4, messages: 2 });
});

test("a wrong outputKey is one warning that names it and the keys that are there", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf({ outputKey: "answer" });
  await memory.saveContext({ input: "hi" }, { output: "yo" });
  await memory.saveContext({ input: "hi" }, { output: "yo" });
  expect(world.logger.warnings).toEqual([expect.stringMatching(/output.*"answer".*outputKey/)]);
  expect(await memory.loadMemoryVariables({})).toEqual({ history: "" });
});

test("loadMemoryVariables takes what LCEL hands it: nothing, a string, an empty object", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf();
  for (const values of [{}, undefined, "a string of its own"]) {
    expect(await memory.loadMemoryVariables(values as object)).toEqual({ history: "" });
  }
});

test.each<[string, unknown, unknown, string]>([
  ["strings", "hi", "yo", "Human: hi\nAI: yo"],
  ["messages", new HumanMessage("hi"), new AIMessage("yo"), "Human: hi\nAI: yo"],
  ["lists of messages", [new HumanMessage("hi")], [new AIMessage("yo")], "Human: hi\nAI: yo"],
  [
    "content blocks",
    [
      { type: "text", text: "See" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
    ],
    [{ type: "text", text: "Seen" }],
    "Human: See\nAI: Seen",
  ],
  [
    "plain messages",
    { role: "user", content: "hi" },
    { role: "assistant", content: "yo" },
    "Human: hi\nAI: yo",
  ],
  ["pairs", ["human", "hi"], [["ai", "yo"]], "Human: hi\nAI: yo"],
  [
    "serialised messages",
    JSON.parse(JSON.stringify(new HumanMessage("hi"))),
    [JSON.parse(JSON.stringify(new AIMessage("yo")))],
    "Human: hi\nAI: yo",
  ],
  ["stored messages", new HumanMessage("hi").toDict(), new AIMessage("yo").toDict(), "Human: hi\nAI: yo"],
  ["an object of structured output", "hi", { city: "Oslo" }, 'Human: hi\nAI: {"city":"Oslo"}'],
  ["a number", "how many?", 42, "Human: how many?\nAI: 42"],
])("takes %s as input and output", async (_, input, output, expected) => {
  const world = await chainWorld();
  const memory = world.memoryOf({ sessionId: "s" });
  await memory.saveContext({ input }, { output });
  expect(await memory.loadMemoryVariables({})).toEqual({ history: expected });
  const restarted = world.memoryOf({ workspace: world.openWorkspace(), sessionId: "s" });
  expect(await restarted.loadMemoryVariables({})).toEqual({ history: expected });
  expect(await world.workspace.waiting.count()).toMatchObject({ messages: 2 });
});

test("a prompt value and a message of another role are taken too", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf();
  const prompt = await ChatPromptTemplate.fromMessages([
    ["system", "Be kind."],
    ["human", "{words}"],
  ]).invoke({ words: "hi" });
  await memory.saveContext({ input: prompt }, { output: new AIMessage("yo") });
  expect(await memory.loadMemoryVariables({})).toEqual({ history: "Human: hi\nAI: yo" });
});

test("an answer in blocks counts and is shown with its text alone, without reasoning and without tool calls", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf();
  const image = `data:image/png;base64,${"A".repeat(200_000)}`;
  await memory.saveContext(
    {
      input: new HumanMessage({
        content: [
          { type: "text", text: "See" },
          { type: "image_url", image_url: { url: image } },
        ],
      }),
    },
    {
      output: new AIMessage({
        content: [
          { type: "thinking", thinking: "user seems sad" },
          { type: "text", text: "Hello" },
        ],
        additional_kwargs: { reasoning_content: "user seems sad" },
      }),
    },
  );
  expect(await memory.loadMemoryVariables({})).toEqual({ history: "Human: See\nAI: Hello" });
  expect(await world.workspace.waiting.count()).toMatchObject({ characters: 8, messages: 2 });
  expect(await world.read("memory/waiting.jsonl")).not.toMatch(/AAAA|sad/);
});

test("of an input that is a whole conversation only what follows the last answer is new", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf({ returnMessages: true });
  await memory.saveContext({ input: "one" }, { output: "1" });
  await memory.saveContext(
    {
      input: [
        new SystemMessage("Be kind."),
        new HumanMessage("one"),
        new AIMessage("1"),
        new HumanMessage("two"),
      ],
    },
    { output: "2" },
  );
  const { history } = await memory.loadMemoryVariables({});
  expect(history.map(({ content }: { content: string }) => content)).toEqual(["one", "1", "two", "2"]);
  expect(await world.workspace.waiting.count()).toMatchObject({ messages: 4 });
});

test("a tool's call stays with its result where an input holds both", async () => {
  const world = await chainWorld();
  const memory = world.memoryOf({ returnMessages: true, sessionId: "s" });
  const call = new AIMessage({ content: "", tool_calls: [{ id: "c1", name: "look", args: {} }] });
  await memory.saveContext(
    {
      input: [
        new HumanMessage("look it up"),
        call,
        new ToolMessage({ content: "found", tool_call_id: "c1" }),
      ],
    },
    { output: "done" },
  );
  const restarted = world.memoryOf({
    workspace: world.openWorkspace(),
    sessionId: "s",
    returnMessages: true,
  });
  const { history } = await restarted.loadMemoryVariables({});
  expect(history.map((message: { getType(): string }) => message.getType())).toEqual([
    "human",
    "ai",
    "tool",
    "ai",
  ]);
  expect(history[1].tool_calls).toMatchObject([{ id: "c1", name: "look" }]);
  expect(history[2].tool_call_id).toBe("c1");
});

test.each<[string, unknown, unknown]>([
  ["an empty answer", "hi", ""],
  ["no answer", "hi", undefined],
  ["an empty input", [], "yo"],
])(
  "%s is no completed turn: one warning, and the next prompt has no two user messages in a row",
  async (_, input, output) => {
    const world = await chainWorld();
    const memory = world.memoryOf();
    await memory.saveContext({ input }, { output });
    await memory.saveContext({ input }, { output });
    expect(await memory.loadMemoryVariables({})).toEqual({ history: "" });
    expect(world.logger.warnings).toHaveLength(1);
  },
);

test("what no text can be made of gives no message, and strings in a list are messages", () => {
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  expect(toMessages(loop, "user")).toEqual([]);
  expect(toMessages(null, "user")).toEqual([]);
  expect(toMessages(() => 1, "user")).toEqual([]);
  expect(toMessages(["a", "b"], "user").map(({ content }) => content)).toEqual(["a", "b"]);
});
