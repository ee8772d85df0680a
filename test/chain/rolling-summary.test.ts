import { InMemoryChatMessageHistory } from "@langchain/core/chat_history";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { expect, test } from "vitest";
import type { CrossSessionMemory } from "../../src/index.js";
import {
  type CompletionRequest,
  type ServerReply,
  sendCompletion,
  sendStatus,
} from "../support/model-server.js";
import { chainWorld, isExtractionRequest, isSummaryRequest } from "./world.js";

const rollingSummary = { triggerChars: 40, keepMessages: 2 };
const heading = "# Conversation summary (of the earlier part of this session)\n\n";

/** Summaries are answered in turn, everything else with "fine". */
async function summaryWorld(replies: readonly ServerReply[], options: object = {}) {
  let asked = 0;
  const world = await chainWorld({
    ...options,
    reply: (request) => {
      if (!isSummaryRequest(request)) return "fine";
      return replies[Math.min(asked++, replies.length - 1)] ?? "";
    },
  });
  const summaries = () => world.server.requests.filter(isSummaryRequest);
  const say = async (memory: CrossSessionMemory, input: unknown, output: unknown = `re ${input}`) => {
    await memory.saveContext({ input }, { output });
    await world.workspace.idle();
  };
  return { ...world, summaries, say };
}

const textOf = async (memory: CrossSessionMemory): Promise<string> =>
  (await memory.loadMemoryVariables({})).history;
const linesOf = (request: CompletionRequest | undefined) =>
  String(request?.messages[1]?.content)
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line).content);

test("once it is due the older messages are condensed in the background, and the summary is the fourth segment", async () => {
  const world = await summaryWorld(["They spoke of one and two."]);
  await world.workspace.memories.add("The user prefers zsh.");
  const memory = world.memoryOf({ rollingSummary, sessionContext: "Ticket 7." });
  await world.say(memory, "question one");
  expect(world.summaries()).toHaveLength(0);
  await world.say(memory, "question two");
  await world.say(memory, "3");

  expect(world.summaries()).toHaveLength(1);
  expect(linesOf(world.summaries()[0])).toEqual(["question one", "re question one"]);
  const text = await textOf(memory);
  expect(text).toContain(
    `zsh.\n\n${heading}They spoke of one and two.\n\n# Session context\n\nTicket 7.\n\nHuman: question two`,
  );
  expect(text).not.toContain("Human: question one");
});

test.each([
  [39, 0],
  [40, 1],
])(
  "with a trigger of 40, %i characters of messages in the prompt make %i requests",
  async (length, requests) => {
    const world = await summaryWorld(["Short."]);
    const memory = world.memoryOf({ rollingSummary: { triggerChars: 40, keepMessages: 0 } });
    await world.say(memory, "😀".repeat(length - 10), "0123456789");
    expect(world.summaries()).toHaveLength(requests);
  },
);

test("each request has one system message and one user message, and no call is made with no new text", async () => {
  const world = await summaryWorld(["First.", "Second."]);
  const memory = world.memoryOf({ rollingSummary: { triggerChars: 40, keepMessages: 0 } });
  await world.say(memory, "");
  await world.say(memory, [{ type: "image_url", image_url: { url: `data:,${"A".repeat(100)}` } }], " ");
  expect(world.summaries()).toHaveLength(0);
  await world.say(memory, "a question that is long enough", "and its answer");
  await world.say(memory, "another question, long enough", "and its answer");

  expect(world.summaries()).toHaveLength(2);
  for (const { messages, stream } of world.summaries()) {
    expect(messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(stream).not.toBe(true);
  }
  expect(world.summaries()[1]?.messages[1]?.content).toMatch(
    /^\[Former summary\]\nFirst\.\n\n\[New conversation\]\n\{/,
  );
  expect(linesOf(world.summaries()[1])).toEqual(["another question, long enough", "and its answer"]);
});

test("a failed, empty or merely thinking reply moves nothing: the former summary stays byte for byte", async () => {
  const world = await summaryWorld([
    "Former.",
    sendStatus(500),
    "",
    "<think>x</think>",
    "<think>hm</think>User plans a move to Oslo.",
  ]);
  const memory = world.memoryOf({ sessionId: "s", rollingSummary: { triggerChars: 10, keepMessages: 0 } });
  await world.say(memory, "the first words");
  const record = await world.read("chats/s.json");
  for (const words of ["second", "third", "fourth"]) {
    await world.say(memory, `the ${words} words`);
    expect(await world.read("chats/s.json")).toBe(record);
    const text = await textOf(memory);
    expect(text).toContain(`${heading}Former.\n\nHuman: the second words`);
    expect(text).toContain(`AI: re the ${words} words`);
  }
  await world.say(memory, "the fifth words");
  expect(await textOf(memory)).toBe(`${heading}User plans a move to Oslo.`);
  expect(linesOf(world.summaries().at(-1))[0]).toBe("the second words");
  expect(world.logger.warnings).toHaveLength(1);
  expect(world.logger.all).not.toMatch(/words|Oslo|think/);
});

test("one at a time: turns that complete meanwhile leave it to the next", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const world = await summaryWorld([
    async (response, request) => {
      await held;
      sendCompletion(response, request, "Condensed.");
    },
  ]);
  const memory = world.memoryOf({ rollingSummary: { triggerChars: 10, keepMessages: 0 } });
  for (const words of ["one", "two", "three"]) {
    await memory.saveContext({ input: `question ${words}` }, { output: "answer" });
    await memory.loadMemoryVariables({});
  }
  await expect.poll(() => world.summaries().length).toBe(1);
  // The conversation never waits for it.
  expect(await textOf(memory)).toContain("Human: question three");
  release();
  await world.workspace.idle();
  expect(world.summaries()).toHaveLength(1);
  await world.say(memory, "question four");
  expect(linesOf(world.summaries()[1])).toContain("question four");
});

test("a summary survives a restart, with the messages that it covers and those that stay", async () => {
  const world = await summaryWorld(["They spoke of one."]);
  const memory = world.memoryOf({ sessionId: "s", rollingSummary });
  await world.say(memory, "question one");
  await world.say(memory, "question two");
  const text = await textOf(memory);

  const restarted = world.memoryOf({ workspace: world.openWorkspace(), sessionId: "s", rollingSummary });
  expect(await textOf(restarted)).toBe(text);
  expect(text).toBe(`${heading}They spoke of one.\n\nHuman: question two\nAI: re question two`);
});

test("takes nothing away from what waits to be learned, and an extraction moves nothing of it", async () => {
  const world = await summaryWorld(["Condensed."], { structuredOutput: "off" });
  const memory = world.memoryOf({ sessionId: "s", rollingSummary });
  await world.say(memory, "question one");
  await world.say(memory, "question two");
  expect(world.summaries()).toHaveLength(1);
  expect(await world.workspace.waiting.count()).toMatchObject({ messages: 4 });
  const before = await textOf(memory);

  await world.workspace.extractNow();

  const extraction = world.server.requests.find(isExtractionRequest);
  expect(linesOf(extraction)).toEqual(["question one", "re question one", "question two", "re question two"]);
  expect(JSON.stringify(extraction)).not.toContain("Condensed.");
  expect(await textOf(memory)).toBe(before);
});

test("a tool's call is never parted from its result, and what stays begins with the user", async () => {
  const world = await summaryWorld(["Condensed."]);
  const call = new AIMessage({ content: "", tool_calls: [{ id: "c1", name: "look", args: {} }] });
  const turn = (number: number) => [
    new HumanMessage(`question number ${number}`),
    call,
    new ToolMessage({ content: "found something", tool_call_id: "c1" }),
  ];
  for (const keepMessages of [0, 1, 2, 3, 4, 5]) {
    const memory = world.memoryOf({
      returnMessages: true,
      rollingSummary: { triggerChars: 60, keepMessages },
    });
    for (const number of [1, 2, 3]) await world.say(memory, turn(number), `answer number ${number}`);
    const { history } = await memory.loadMemoryVariables({});
    const types = history.map((message: { getType(): string }) => message.getType());
    expect(types[0]).toBe("system");
    expect(types.slice(1)).toEqual(
      types.slice(1).map((_: string, index: number) => ["human", "ai", "tool", "ai"][index % 4]),
    );
    expect(types.length - 1).toBeGreaterThanOrEqual(keepMessages);
  }
  expect(JSON.stringify(world.summaries())).not.toContain("found something");
});

test("a request holds whole turns up to extractionChunkChars, and the rest waits for the next", async () => {
  const world = await summaryWorld(["One.", "Two."], {
    extractionTriggerChars: 100,
    extractionChunkChars: 100,
  });
  const chatHistory = new InMemoryChatMessageHistory();
  for (const number of [1, 2, 3]) {
    await chatHistory.addMessages([
      new HumanMessage(`q${number} ${"x".repeat(30)}`),
      new AIMessage("y".repeat(30)),
    ]);
  }
  const memory = world.memoryOf({ chatHistory, rollingSummary: { triggerChars: 10, keepMessages: 0 } });
  await world.say(memory, `q4 ${"z".repeat(500)}`, "y".repeat(500));
  await world.say(memory, "q5", "a5");
  await world.say(memory, "q6", "a6");
  await world.say(memory, "q7", "a7");

  const lines = world.summaries().map(linesOf);
  expect(lines.slice(0, 3).map(([first]) => first.slice(0, 2))).toEqual(["q1", "q2", "q3"]);
  const [question, answer] = lines[3] ?? [];
  expect([question.slice(0, 2), question.length, answer.length]).toEqual(["q4", 50, 50]);
});

test("private messages are in no summary, and a restarted process still finds where the summary ends", async () => {
  const world = await summaryWorld(["Condensed."]);
  const memory = world.memoryOf({ sessionId: "s", rollingSummary: { triggerChars: 40, keepMessages: 0 } });
  await world.say(memory, "short", "words");
  await RunnableLambda.from(() => world.say(memory, "I was diagnosed with asthma.", "Get well soon.")).invoke(
    "",
    {
      configurable: { memory: "off" },
    },
  );
  expect(world.summaries()).toHaveLength(0);
  await world.say(memory, "long enough");
  expect(linesOf(world.summaries()[0])).toEqual(["short", "words", "long enough", "re long enough"]);
  expect(await world.read("chats/s.json")).not.toContain("asthma");

  const restarted = world.memoryOf({ workspace: world.openWorkspace(), sessionId: "s", rollingSummary });
  expect(await textOf(restarted)).toBe(`${heading}Condensed.`);

  // The last of what is condensed is private: the cursor is at the last message that a file holds.
  await RunnableLambda.from(() => world.say(memory, "more about asthma, at length", "Get well soon.")).invoke(
    "",
    {
      configurable: { memory: "off" },
    },
  );
  const again = world.memoryOf({ workspace: world.openWorkspace(), sessionId: "s", rollingSummary });
  expect(await textOf(again)).toBe(`${heading}Condensed.`);
});

test("credentials reach neither the model that condenses nor the summary", async () => {
  const key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH";
  const world = await summaryWorld([`The key is ${key}.`]);
  const memory = world.memoryOf({ sessionId: "s", rollingSummary: { triggerChars: 10, keepMessages: 0 } });
  await world.say(memory, `my key is ${key}`, "noted");
  expect(JSON.stringify(world.summaries())).not.toContain(key);
  expect(await world.read("chats/s.json")).not.toContain(key);
});

test.each([
  [
    "the same words again and again",
    (number: number) => new AIMessage({ content: "ok", id: `id ${number}` }),
  ],
  ["a server that gives every reply the same id", () => new AIMessage({ content: "ok", id: "chatcmpl-1" })],
])(
  "with a history of the app's and %s, no message gets lost between summary and prompt",
  async (_, answer) => {
    const world = await summaryWorld(["Condensed."]);
    const chatHistory = new InMemoryChatMessageHistory();
    const memory = world.memoryOf({ chatHistory, rollingSummary: { triggerChars: 60, keepMessages: 2 } });
    for (let turn = 0; turn < 30; turn++) await world.say(memory, "yes, go on", answer(turn));

    const condensed = world.summaries().flatMap(linesOf).length;
    const shown = (await textOf(memory)).split("\n").filter((line) => /^(?:Human|AI):/.test(line)).length;
    expect(condensed + shown).toBe(60);
    expect(shown).toBeLessThan(12);
  },
);

test("a history of the app's that lets go of its oldest messages keeps its place", async () => {
  const world = await summaryWorld(["Condensed."]);
  const chatHistory = new InMemoryChatMessageHistory();
  const memory = world.memoryOf({ chatHistory, rollingSummary: { triggerChars: 150, keepMessages: 2 } });
  for (let turn = 0; turn < 9; turn++) await world.say(memory, `question ${turn}`);
  const before = await textOf(memory);
  const newest = (await chatHistory.getMessages()).slice(-12);
  await chatHistory.clear();
  await chatHistory.addMessages(newest);
  expect(await textOf(memory)).toBe(before);
});

test("a summary that is under way when the session is cleared does not bring it back", async () => {
  for (const clearedBy of ["this instance", "another process"]) {
    let memory: CrossSessionMemory | undefined;
    const world = await summaryWorld([
      async (response, request) => {
        const other = world.memoryOf({ workspace: world.openWorkspace(), sessionId: "s" });
        await (clearedBy === "this instance" ? memory : other)?.clear();
        sendCompletion(response, request, "All that was said.");
      },
    ]);
    memory = world.memoryOf({ sessionId: "s", rollingSummary: { triggerChars: 10, keepMessages: 0 } });
    await world.say(memory, "question one");
    expect(world.summaries()).toHaveLength(1);
    expect(await textOf(memory)).toBe("");
  }
});

test("clear forgets the summary too, also by an instance that makes none", async () => {
  const world = await summaryWorld(["Condensed."]);
  const options = { rollingSummary: { triggerChars: 10, keepMessages: 0 }, sessionId: "s" };
  const memory = world.memoryOf(options);
  await world.say(memory, "question one");
  await world.memoryOf({ sessionId: "s" }).clear();
  expect(await textOf(memory)).toBe("");
  expect(await world.read("chats/s.json")).not.toContain("Condensed.");
});

test("two instances of one session never set the summary back", async () => {
  let held = 0;
  const releases: (() => void)[] = [];
  const world = await summaryWorld([
    async (response, request) => {
      const number = ++held;
      if (number === 1) await new Promise<void>((resolve) => releases.push(resolve));
      sendCompletion(response, request, `Summary ${number}.`);
    },
  ]);
  const options = { rollingSummary: { triggerChars: 10, keepMessages: 0 }, sessionId: "s" };
  const slow = world.memoryOf(options);
  const quick = world.memoryOf({ ...options, workspace: world.openWorkspace() });
  await slow.saveContext({ input: "question one" }, { output: "answer one" });
  await expect.poll(() => releases.length).toBe(1);
  await quick.saveContext({ input: "question two" }, { output: "answer two" });
  await quick.workspace.idle();
  releases[0]?.();
  await world.workspace.idle();
  expect(await textOf(slow)).toBe(`${heading}Summary 2.`);
});

test("a summary that could not be saved is saved with the next turn, without a second request", async () => {
  const world = await summaryWorld(["Condensed.", "Again."]);
  const memory = world.memoryOf({ sessionId: "s", rollingSummary: { triggerChars: 20, keepMessages: 0 } });
  const { sessions } = world.workspace.store;
  const change = sessions.change.bind(sessions);
  sessions.change = () => Promise.reject(Object.assign(new Error("secret"), { code: "ENOSPC" }));
  await world.say(memory, "question one");
  expect(await textOf(memory)).toContain("Human: question one");
  expect(world.logger.errors).toEqual([expect.stringContaining("ENOSPC")]);
  sessions.change = change;
  await world.say(memory, "two", "2");
  expect(world.summaries()).toHaveLength(1);
  expect(await textOf(memory)).toBe(`${heading}Condensed.\n\nHuman: two\nAI: 2`);
});

test("a summary call is invisible to the run and is not aborted with it", async () => {
  const world = await summaryWorld(["Condensed."]);
  const memory = world.memoryOf({ rollingSummary: { triggerChars: 10, keepMessages: 0 } });
  const abort = new AbortController();
  const started: string[] = [];
  await RunnableLambda.from(() =>
    memory.saveContext({ input: "question one" }, { output: "answer one" }),
  ).invoke("", {
    signal: abort.signal,
    callbacks: [{ handleChatModelStart: (_llm, _messages, runId) => void started.push(runId) }],
  });
  abort.abort();
  await world.workspace.idle();
  expect(await textOf(memory)).toBe(`${heading}Condensed.`);
  expect(started).toEqual([]);
});

test("no event of the run's own stream shows a summary call or what it says", async () => {
  const world = await summaryWorld(["SUMMARYMARK"]);
  const memory = world.memoryOf({ rollingSummary: { triggerChars: 10, keepMessages: 0 } });
  const chain = world.chainOf(memory).withConfig({ tags: ["outer"] });
  const events: unknown[] = [];
  for await (const event of chain.streamEvents({ input: "question one" }, { version: "v2" }))
    events.push(event);
  await world.workspace.idle();
  expect(world.summaries()).toHaveLength(1);
  expect(await textOf(memory)).toBe(`${heading}SUMMARYMARK`);
  expect(JSON.stringify(events)).toContain("fine");
  expect(JSON.stringify(events)).not.toMatch(/SUMMARYMARK|Your task is to condense/);
});

test("a closed workspace starts no summary any more", async () => {
  const world = await summaryWorld(["Condensed."]);
  const memory = world.memoryOf({ rollingSummary: { triggerChars: 10, keepMessages: 0 } });
  await world.workspace.close();
  await world.say(memory, "question one");
  expect(world.summaries()).toHaveLength(0);
  expect(await textOf(memory)).toBe("Human: question one\nAI: re question one");
});
