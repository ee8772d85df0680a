import { readdir } from "node:fs/promises";
import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import type { AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { type Runnable, RunnableLambda } from "@langchain/core/runnables";
import { ChatOpenAI, type ChatOpenAICallOptions } from "@langchain/openai";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  MemoryWorkspace,
  type WithCrossSessionMemoryOptions,
  withCrossSessionMemory,
} from "../../src/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const echo = RunnableLambda.from(({ input }: { input: string }) => input);
const workspace = new MemoryWorkspace();

describe("a wrong option throws at construction and names option, value and range", () => {
  const wrong: [string, object, string, string][] = [
    ["workspace", { workspace: {} }, "ERR_OPTION_TYPE", "workspace must be a MemoryWorkspace, got an object"],
    ["sessionId", { sessionId: "" }, "ERR_OPTION_RANGE", 'sessionId must be a non-empty string, got ""'],
    ["sessionId", { sessionId: 7 }, "ERR_OPTION_TYPE", "sessionId must be a non-empty string, got 7"],
    ["userId", { userId: "ann" }, "ERR_OPTION_TYPE", "userId must be a function"],
    ["inputKey", { inputKey: "" }, "ERR_OPTION_RANGE", "inputKey must be a non-empty string"],
    ["outputKey", { outputKey: [] }, "ERR_OPTION_TYPE", "outputKey must be a non-empty string, got an array"],
    ["memoryKey", { memoryKey: null }, "ERR_OPTION_TYPE", "memoryKey must be a non-empty string, got null"],
    [
      "sessionContext",
      { sessionContext: 1 },
      "ERR_OPTION_TYPE",
      "sessionContext must be a string or a function",
    ],
    ["planContext", { planContext: {} }, "ERR_OPTION_TYPE", "planContext must be a string or a function"],
    ["onContext", { onContext: true }, "ERR_OPTION_TYPE", "onContext must be a function, got true"],
    ["limit", { limit: 5 }, "ERR_OPTION_RANGE", "limit must be an integer from 10 to 1000, got 5"],
    [
      "an unknown one",
      { session: "s" },
      "ERR_OPTION_UNKNOWN",
      'unknown option "session"; known are workspace',
    ],
    [
      "limit beside a workspace",
      { workspace, limit: 50 },
      "ERR_OPTION_RANGE",
      "limit must be given to the workspace",
    ],
  ];
  test.each(wrong)("%s", (_, options, code, message) => {
    expect(() => withCrossSessionMemory(echo, options)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });

  test("no object, and no runnable", () => {
    const calls = [
      () => withCrossSessionMemory(echo, "./ai" as never),
      () => withCrossSessionMemory(echo, [] as never),
      () => withCrossSessionMemory((() => "hi") as never),
      () => withCrossSessionMemory(undefined as never),
    ];
    for (const call of calls) expect(call).toThrow(expect.objectContaining({ code: "ERR_OPTION_TYPE" }));
  });
});

test("the workspace's own options may stand among the wrapper's; constructing touches no disk", async () => {
  const dir = await temporaryFolder();
  const chat = withCrossSessionMemory(echo, {
    dir,
    locale: "en",
    sessionId: "s",
    logger: { warn() {}, error() {} },
  });
  expect(await readdir(dir)).toEqual([]);
  await chat.invoke({ input: "hi" });
  expect(await readdir(dir)).toContain("chats");
});

test("an option that is undefined is not given", () => {
  const all: WithCrossSessionMemoryOptions = {
    workspace,
    limit: undefined,
    sessionId: undefined,
    userId: undefined,
  };
  expect(() => withCrossSessionMemory(echo, all)).not.toThrow();
});

describe("types infer", () => {
  const model = new ChatOpenAI({ apiKey: "none", model: "gpt-4o-mini" });
  const prompt = ChatPromptTemplate.fromMessages<{ input: string }>([["human", "{input}"]]);

  test("input and output of a chain stay what they were", () => {
    const chat = withCrossSessionMemory(prompt.pipe(model).pipe(new StringOutputParser()), { workspace });
    expectTypeOf(chat).not.toBeAny();
    expectTypeOf(chat.invoke).parameter(0).toEqualTypeOf<{ input: string }>();
    expectTypeOf(chat.invoke).returns.resolves.toEqualTypeOf<string>();
    expectTypeOf(withCrossSessionMemory(echo, { workspace })).toExtend<Runnable<{ input: string }, string>>();
    // @ts-expect-error: no such variable.
    expect(() => chat.invoke({ inputs: "hi" }).catch(() => {})).not.toThrow();
  });

  test("those of a bare chat model, and its call options, too", () => {
    const chat = withCrossSessionMemory(model, { workspace });
    expectTypeOf(chat.invoke).parameter(0).toEqualTypeOf<BaseLanguageModelInput>();
    expectTypeOf<Awaited<ReturnType<typeof chat.invoke>>>().toExtend<AIMessageChunk>();
    expectTypeOf<Awaited<ReturnType<typeof chat.invoke>>>().toExtend<BaseMessage>();
    expectTypeOf(chat.invoke).parameter(1).toExtend<Partial<ChatOpenAICallOptions> | undefined>();
    expectTypeOf(chat.invoke).parameter(1).not.toBeAny();
  });

  test("options have no any", () => {
    expectTypeOf<WithCrossSessionMemoryOptions>().not.toBeAny();
    expectTypeOf<WithCrossSessionMemoryOptions["workspace"]>().toEqualTypeOf<MemoryWorkspace | undefined>();
    expectTypeOf<WithCrossSessionMemoryOptions["userId"]>().not.toBeAny();
  });
});
