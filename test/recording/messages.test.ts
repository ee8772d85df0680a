import {
  AIMessage,
  AIMessageChunk,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  HumanMessageChunk,
  mapChatMessagesToStoredMessages,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { readMessage } from "../../src/messages/chat-message.js";
import { longTalk, makeWorld, readRequest } from "../extraction/world.js";

/** Messages as another copy of LangChain has them: our `instanceof` knows none of these. */
function ofAnotherCopy(type: string, content: unknown, fields: object = {}) {
  return Object.assign(Object.create({ getType: () => type, lc_serializable: true }), {
    content,
    ...fields,
  }) as object;
}

const user = new HumanMessage({ content: "Hi", id: "u1" });
const answer = new AIMessage({ content: "Hello", id: "a1" });

describe("messages are read in every form", () => {
  it.each<[string, unknown[]]>([
    ["LangChain's own", [user, answer]],
    [
      "chunks",
      [
        new HumanMessageChunk({ content: "Hi", id: "u1" }),
        new AIMessageChunk({ content: "Hello", id: "a1" }),
      ],
    ],
    [
      "of another copy of LangChain",
      [ofAnotherCopy("human", "Hi", { id: "u1" }), ofAnotherCopy("ai", "Hello", { id: "a1" })],
    ],
    [
      "of an old copy of LangChain",
      [
        { _getType: () => "human", content: "Hi", id: "u1" },
        { _getType: () => "ai", content: "Hello", id: "a1" },
      ],
    ],
    [
      "role and content",
      [
        { role: "user", content: "Hi", id: "u1" },
        { role: "assistant", content: "Hello", id: "a1" },
      ],
    ],
    [
      "type and content",
      [
        { type: "human", content: "Hi", id: "u1" },
        { type: "ai", content: "Hello", id: "a1" },
      ],
    ],
    ["serialised, lc: 1", JSON.parse(JSON.stringify([user, answer])) as unknown[]],
    ["stored", mapChatMessagesToStoredMessages([user, answer])],
    [
      "a chat message with a role",
      [
        new ChatMessage({ content: "Hi", role: "user", id: "u1" }),
        new ChatMessage({ content: "Hello", role: "assistant", id: "a1" }),
      ],
    ],
  ])("%s", async (_, messages) => {
    const { workspace } = await makeWorld();
    await workspace.recordTurn("s1", messages);
    expect(await workspace.store.waiting.read()).toMatchObject([
      { session: "s1", role: "user", text: "Hi", id: "u1" },
      { session: "s1", role: "assistant", text: "Hello", id: "a1" },
    ]);
  });

  it.each<[string, unknown[]]>([
    [
      "pairs",
      [
        ["human", "Hi"],
        ["ai", "Hello"],
      ],
    ],
    [
      "pairs with other names",
      [
        ["user", "Hi"],
        ["assistant", "Hello"],
      ],
    ],
    ["a string is what the user said", ["Hi", ["ai", "Hello"]]],
  ])("%s", async (_, messages) => {
    const { workspace } = await makeWorld();
    await workspace.recordTurn("s1", messages);
    expect(await workspace.store.waiting.read()).toMatchObject([
      { role: "user", text: "Hi" },
      { role: "assistant", text: "Hello" },
    ]);
  });

  it.each([undefined, null, 5, {}, [], [1, 2], ["a", "b", "c"], { role: "user" }, () => "x", Symbol("x")])(
    "what is no message is passed over: %s",
    async (value) => {
      const { workspace, logger } = await makeWorld();
      await workspace.recordTurn("s1", [value, user, value, answer, value]);
      expect((await workspace.store.waiting.read()).map(({ text }) => text)).toEqual(["Hi", "Hello"]);
      expect(logger.warnings).toEqual([]);
    },
  );

  it.each([undefined, null, 5, {}, "Hi"])(
    "a conversation that is no list is recorded as nothing, without a throw: %s",
    async (value) => {
      const { workspace } = await makeWorld();
      await workspace.recordTurn("s1", value as never);
      expect(await workspace.waiting.count()).toMatchObject({ messages: 0 });
    },
  );

  it("system, tool, function and remove messages are neither counted nor sent", async () => {
    const { workspace } = await makeWorld();
    await workspace.recordTurn("s1", [
      new SystemMessage("SYSTEM"),
      user,
      new FunctionMessage({ content: "FUNCTION", name: "f" }),
      new ToolMessage({ content: "TOOL", tool_call_id: "t" }),
      new RemoveMessage({ id: "x" }),
      { role: "developer", content: "DEVELOPER" },
      answer,
    ]);
    expect((await workspace.store.waiting.read()).map(({ text }) => text)).toEqual(["Hi", "Hello"]);
  });
});

describe("content blocks", () => {
  it("only text counts and reaches the request: no reasoning, no images, no tool calls", async () => {
    const { workspace, model } = await makeWorld();
    const image = `data:image/png;base64,${"A".repeat(2_000_000)}`;
    await workspace.recordTurn("s1", [
      new HumanMessage({
        content: [
          { type: "text", text: "See" },
          { type: "image_url", image_url: { url: image } },
        ],
      }),
      new AIMessage({
        content: [
          { type: "thinking", thinking: "user seems sad" },
          { type: "text", text: "Hello" },
          { type: "reasoning", reasoning: "hm" },
        ],
        additional_kwargs: { reasoning_content: "user seems sad" },
      }),
    ]);
    expect(await workspace.waiting.count()).toEqual({ characters: 8, messages: 2, sessions: 1 });
    await workspace.extractNow();
    expect(readRequest(model).lines.map(({ content }) => content)).toEqual(["See", "Hello"]);
    expect(readRequest(model).user).not.toMatch(/sad|AAAA|hm/);
  });

  it("a message of nothing but an image is no text to record", async () => {
    const { workspace } = await makeWorld();
    await workspace.recordTurn("s1", [
      new HumanMessage({ content: [{ type: "image_url", image_url: { url: "data:," } }] }),
      new AIMessage("A cat"),
    ]);
    expect((await workspace.store.waiting.read()).map(({ text }) => text)).toEqual(["A cat"]);
  });

  it("a tool_use block beside the call is left out", async () => {
    const { workspace } = await makeWorld();
    await workspace.recordTurn("s1", [
      user,
      new AIMessage({
        content: [
          { type: "text", text: "Looking" },
          { type: "tool_use", id: "t", name: "x", input: { secret: 1 } },
        ],
        tool_calls: [{ name: "x", args: { secret: 1 }, id: "t" }],
      }),
      new ToolMessage({ content: "result", tool_call_id: "t" }),
      new AIMessage("Done"),
    ]);
    expect((await workspace.store.waiting.read()).map(({ text }) => text)).toEqual(["Hi", "Looking", "Done"]);
  });
});

describe("reasoning that opens an answer is not recorded", () => {
  it.each([
    ["<think>secretly</think>\n\nHello", "Hello"],
    ["<thinking>a <think>b</think> c</thinking>Hello", "Hello"],
    ["<think>a</think><reasoning>b</reasoning> Hello", "Hello"],
    ["<think>a</think>The tag </think> ends it.", "The tag </think> ends it."],
    ["<think>I'd write <think> here</think>Hello", "Hello"],
    ["<think>never ends", ""],
    ["Use <think> and </think> tags", "Use <think> and </think> tags"],
    ["a < b", "a < b"],
  ])("%s", (content, text) => {
    expect(readMessage(["ai", content])?.text).toBe(text);
  });

  it("a user who writes such tags is recorded as written", () => {
    expect(readMessage(["human", "<think>x</think> y"])?.text).toBe("<think>x</think> y");
  });
});

describe("a turn that can't be queued is kept in memory and written with the next", () => {
  it("in order, with one warning without content", async () => {
    const { workspace, logger, say, model } = await makeWorld();
    const { waiting } = workspace.store;
    const append = waiting.append.bind(waiting);
    waiting.append = () => Promise.reject(Object.assign(new Error("SECRETWORD"), { code: "ENOSPC" }));
    await say("one");
    await say("two");
    expect(logger.warnings).toEqual([
      "[cross-session-memory] a turn could not be queued (ENOSPC); it is kept and written with the next",
    ]);
    waiting.append = append;
    await say("three");
    expect((await waiting.read()).map(({ text }) => text)).toEqual(["one", "ok", "two", "ok", "three", "ok"]);
    waiting.append = () => Promise.reject(new Error("again"));
    await say("four");
    expect(logger.warnings).toHaveLength(2);
    expect(model.requests).toHaveLength(0);
  });

  it("a turn that is kept is known: it is not recorded again with its ids", async () => {
    const { workspace } = await makeWorld();
    const { waiting } = workspace.store;
    const append = waiting.append.bind(waiting);
    waiting.append = () => Promise.reject(new Error("full"));
    await workspace.recordTurn("s1", [user, answer]);
    waiting.append = append;
    await workspace.recordTurn("s1", [user, answer]);
    await workspace.recordTurn("s1", [
      ["human", "next"],
      ["ai", "ok"],
    ]);
    expect((await waiting.read()).map(({ text }) => text)).toEqual(["Hi", "Hello", "next", "ok"]);
  });

  it("bounded by `maxWaitingChars`, the newest stay", async () => {
    const { workspace, say } = await makeWorld({
      extractionTriggerChars: 100,
      extractionChunkChars: 100,
      maxWaitingChars: 100,
    });
    const { waiting } = workspace.store;
    const append = waiting.append.bind(waiting);
    waiting.append = () => Promise.reject(new Error("full"));
    for (let turn = 0; turn < 5; turn++) await say(`${turn}${"x".repeat(37)}`);
    waiting.append = append;
    await say("last");
    expect((await waiting.read()).map(({ text }) => text[0])).toEqual(["o", "3", "o", "4", "o", "l", "o"]);
  });

  it("`waiting.clear` drops it too", async () => {
    const { workspace, say } = await makeWorld();
    const { waiting } = workspace.store;
    const append = waiting.append.bind(waiting);
    waiting.append = () => Promise.reject(new Error("full"));
    await say("one");
    waiting.append = append;
    expect(await workspace.waiting.clear()).toBe(2);
    await say("two");
    expect((await waiting.read()).map(({ text }) => text)).toEqual(["two", "ok"]);
  });
});

describe("a turn waits for the append to the queue and for nothing else", () => {
  it("it is in the queue when `recordTurn` resolves, whatever its length", async () => {
    const { workspace } = await makeWorld();
    await workspace.recordTurn("s1", [
      ["human", longTalk.repeat(50)],
      ["ai", "ok"],
    ]);
    expect((await workspace.store.waiting.read())[0]?.text).toHaveLength(longTalk.length * 50);
  });

  it("many turns at once are all recorded", async () => {
    const { workspace } = await makeWorld({
      extractionTriggerChars: 1_000_000,
      extractionChunkChars: 1_000_000,
    });
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        workspace.recordTurn(`s${index % 5}`, [
          ["human", `turn ${index}`],
          ["ai", "ok"],
        ]),
      ),
    );
    expect(await workspace.waiting.count()).toMatchObject({ messages: 100, sessions: 5 });
  });
});
