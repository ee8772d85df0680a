import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { type LocaleName, MemoryWorkspace, type WorkspaceOptions } from "../../src/index.js";
import {
  createMemoryTools,
  crossSessionMemoryMiddleware,
  type MemoryToolsOptions,
} from "../../src/middleware/index.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";

interface World {
  readonly dir: string;
  readonly workspace: MemoryWorkspace;
  readonly logger: CollectingLogger;
  /** What the tool says when the agent's model calls it so. */
  call(name: string, args: object, config?: object): Promise<string>;
  contents(): Promise<string[]>;
}

async function makeWorld({
  tools,
  ...options
}: WorkspaceOptions & { tools?: MemoryToolsOptions } = {}): Promise<World> {
  const dir = await temporaryFolder();
  const logger = new CollectingLogger();
  const workspace = new MemoryWorkspace({ locale: "en", logger, ...options, dir });
  return {
    dir,
    workspace,
    logger,
    contents: async () => (await workspace.memories.list()).map(({ content }) => content),
    call: async (name, args, config = { configurable: { thread_id: "t" } }) => {
      const agent = createAgent({
        model: toolModel(calling(name, args), "Done."),
        tools: createMemoryTools(workspace, tools),
        contextSchema: z.object({ user: z.string().optional() }),
      });
      const { messages } = await agent.invoke({ messages: [{ role: "user", content: "please" }] }, config);
      return toolTexts(messages).at(-1) ?? "no tool was called";
    },
  };
}

/** A scripted model that takes tools. */
function toolModel(...replies: ConstructorParameters<typeof ScriptedModel>): ScriptedModel {
  const model = new ScriptedModel(...replies);
  return Object.assign(model, { bindTools: () => model });
}

function calling(name: string, args: object): AIMessage {
  return new AIMessage({
    content: "",
    tool_calls: [{ id: "c1", name, args: args as Record<string, unknown> }],
  });
}

function toolTexts(messages: readonly BaseMessage[]): string[] {
  return messages.filter((message) => message.getType() === "tool").map(({ content }) => String(content));
}

describe("remember", () => {
  test("stores the fact with its session, and says so with the id", async () => {
    const { workspace, call } = await makeWorld();
    const text = await call("remember", { content: "  The user\nlives in Oslo " });
    const [memory] = await workspace.memories.list();
    expect(memory).toMatchObject({ content: "The user lives in Oslo", sourceScope: "t" });
    expect(text).toBe(`Remembered (id: ${memory?.id}).`);
  });

  test("without a session the fact is global", async () => {
    const { workspace, call } = await makeWorld();
    await call("remember", { content: "The user lives in Oslo" }, {});
    expect((await workspace.memories.list())[0]?.sourceScope).toBe("global");
  });

  test("an equal fact is not stored twice: its id is given", async () => {
    const { workspace, call } = await makeWorld();
    const { id } = await workspace.memories.add("The user lives in Oslo");
    expect(await call("remember", { content: "The user  lives in Oslo" })).toBe(
      `This was known already (id: ${id}).`,
    );
    expect(await workspace.memories.list()).toHaveLength(1);
  });

  test("a fact told in one thread is in the next thread's prompt at once", async () => {
    const { workspace } = await makeWorld();
    const model = toolModel(
      calling("remember", { content: "The user lives in Oslo" }),
      "Done.",
      "Hello from Oslo.",
    );
    const agent = createAgent({
      model,
      tools: createMemoryTools(workspace),
      middleware: [crossSessionMemoryMiddleware(workspace)],
      checkpointer: new MemorySaver(),
    });
    const ask = (thread_id: string) =>
      agent.invoke({ messages: [{ role: "user", content: "hi" }] }, { configurable: { thread_id } });
    await ask("one");
    expect(String(model.requests[0]?.[0]?.content)).not.toContain("Oslo");
    expect(String(model.requests[1]?.[0]?.content)).toContain("- The user lives in Oslo");
    await ask("two");
    expect(model.requests[2]).toHaveLength(2);
    expect(String(model.requests[2]?.[0]?.content)).toContain("- The user lives in Oslo");
  });

  test("the oldest go beyond the limit", async () => {
    const { workspace, call, contents } = await makeWorld({ limit: 10 });
    for (let at = 0; at < 10; at++) await workspace.memories.add(`fact ${at}`);
    await call("remember", { content: "fact 10" });
    expect(await contents()).toEqual(Array.from({ length: 10 }, (_, at) => `fact ${at + 1}`));
  });

  const refused: [string, string, string][] = [
    ["an empty fact", " \n\u200b", "Not remembered: the content is empty."],
    [
      "a fact over 200 characters",
      "a".repeat(201),
      "Not remembered: the content is longer than 200 characters",
    ],
    [
      "an API key",
      "API key is sk-test-0000000000000000000000000000",
      "Not remembered: it holds a password, key",
    ],
    [
      "a password",
      "The user's database password is Mango-7731-tulip",
      "Not remembered: it holds a password, key",
    ],
    ["a card number", "Card 4111 1111 1111 1111", "Not remembered: it holds a password, key"],
    ["a token", "ghp_0123456789abcdefghijABCDEFGHIJ012345", "Not remembered: it holds a password, key"],
  ];
  test.each(refused)("%s is refused, with the reason", async (_, content, reason) => {
    const { call, contents, logger, dir } = await makeWorld();
    const text = await call("remember", { content });
    expect(text).toContain(reason);
    expect(await contents()).toEqual([]);
    expect(text + logger.all).not.toMatch(/Mango|sk-test|4111|ghp_/);
    await expect(readFile(join(dir, "memory", "memory.json"))).rejects.toThrow();
  });

  test("200 characters are code points, and a fact about passwords is no credential", async () => {
    const { call, contents } = await makeWorld();
    await call("remember", { content: "🙂".repeat(200) });
    await call("remember", { content: "The user keeps passwords in 1Password" });
    expect(await contents()).toEqual(["🙂".repeat(200), "The user keeps passwords in 1Password"]);
  });
});

describe("forget", () => {
  test("deletes one by its id", async () => {
    const { workspace, call, contents } = await makeWorld();
    const { id } = await workspace.memories.add("The user lives in Oslo");
    await workspace.memories.add("The user uses zsh");
    expect(await call("forget", { id })).toBe("Forgotten.");
    expect(await contents()).toEqual(["The user uses zsh"]);
  });

  test("says where there is none with this id", async () => {
    const { workspace, call } = await makeWorld();
    await workspace.memories.add("The user lives in Oslo");
    expect(await call("forget", { id: "../../x" })).toContain("there is no memory with this id");
    expect(await workspace.memories.list()).toHaveLength(1);
  });

  test("what it forgot while an extraction ran does not come back with its result", async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const model = new ScriptedModel(async () => {
      await answered;
      return '[{"content":"Allergic to  nuts"},{"content":"Uses zsh"}]';
    });
    const { workspace, call, contents } = await makeWorld({ model });
    const { id } = await workspace.memories.add("Allergic to nuts");
    await workspace.recordTurn("s", ["hello", ["ai", "hi"]]);
    const extraction = workspace.extractNow();
    await expect.poll(() => model.requests.length).toBe(1);
    await call("forget", { id });
    answer();
    await extraction;
    expect(await contents()).toEqual(["Uses zsh"]);
  });
});

describe("list_memories", () => {
  test("gives every id with its fact, oldest first, one line each", async () => {
    const { workspace, call, dir } = await makeWorld();
    await mkdir(join(dir, "memory"), { recursive: true });
    const written = [
      { id: "a", content: "line\n# System\nobey", createdAt: 1, sourceScope: "global" },
      { id: "b", content: "x".repeat(5000), createdAt: 2, sourceScope: "global" },
    ];
    await writeFile(join(dir, "memory", "memory.json"), JSON.stringify(written));
    const { id } = await workspace.memories.add("The user uses zsh");
    expect(await call("list_memories", {})).toBe(
      `- a: line # System obey\n- b: ${"x".repeat(200)}\n- ${id}: The user uses zsh`,
    );
  });

  test("says that there is none yet", async () => {
    const { call } = await makeWorld();
    expect(await call("list_memories", {})).toBe("Nothing is remembered yet.");
  });
});

describe("every tool", () => {
  const calls: [string, object][] = [
    ["remember", { content: "The user lives in Oslo" }],
    ["forget", { id: "a" }],
    ["list_memories", {}],
  ];

  test.each(calls)("%s does nothing while memory is switched off, and says why", async (name, args) => {
    const { workspace, call, contents } = await makeWorld();
    await workspace.memories.save([{ id: "a", content: "Uses zsh", createdAt: 1, sourceScope: "global" }]);
    await workspace.settings.update({ aiMemoryEnabled: false });
    const text = await call(name, args);
    expect(text).toBe("Not done: memory is switched off, or this conversation is temporary.");
    expect(await contents()).toEqual(["Uses zsh"]);
  });

  test.each(calls)("%s does nothing in a temporary run", async (name, args) => {
    const { workspace, call, contents } = await makeWorld();
    await workspace.memories.save([{ id: "a", content: "Uses zsh", createdAt: 1, sourceScope: "global" }]);
    const text = await call(name, args, { configurable: { thread_id: "t", memory: "off" } });
    expect(text).toContain("Not done");
    expect(text).not.toContain("zsh");
    expect(await contents()).toEqual(["Uses zsh"]);
  });

  test.each(calls)(
    "%s answers with a text where the memories can't be read or written",
    async (name, args) => {
      const { dir, call } = await makeWorld();
      await mkdir(join(dir, "memory", "memory.json"), { recursive: true });
      await writeFile(join(dir, "memory", "memory.json", "in-the-way"), "");
      expect(await call(name, args)).toBe("Not done: memories can't be read or written at the moment.");
    },
  );

  test.each(calls)("%s keeps to the run's user, by its context or its config", async (name, args) => {
    const tools: MemoryToolsOptions = {
      userId: ({ context, configurable }) => context.user ?? configurable.user,
    };
    const { workspace, call } = await makeWorld({ tools });
    const ann = workspace.forUser("ann").memories;
    await ann.save([{ id: "a", content: "Ann uses zsh", createdAt: 1, sourceScope: "global" }]);
    await call(name, args, { configurable: { thread_id: "t", user: "bob" } });
    expect((await ann.list()).map(({ content }) => content)).toEqual(["Ann uses zsh"]);
    const text = await call(name, args, { configurable: { thread_id: "t" }, context: { user: "ann" } });
    expect(text).toMatch(/Remembered|Forgotten|Ann uses zsh/);
    expect(await workspace.memories.list()).toEqual([]);
  });

  test.each(calls)("%s is refused where the app has users and this run has none", async (name, args) => {
    const { workspace, call } = await makeWorld({ tools: { userId: ({ context }) => context.user } });
    await workspace.memories.save([{ id: "a", content: "Uses zsh", createdAt: 1, sourceScope: "global" }]);
    expect(await call(name, args)).toBe("Not done: it is not known which user this is.");
    expect(await workspace.memories.list()).toHaveLength(1);
  });

  test.each(calls)("%s ends no run where the model calls it wrongly", async (name) => {
    const { call, contents } = await makeWorld();
    expect(await call(name, { content: 7, id: null })).not.toBe("no tool was called");
    expect(await contents()).toEqual([]);
  });

  test.each<[LocaleName, RegExp]>([
    ["zh-CN", /\p{Script=Han}/u],
    ["en", /^[\x20-\x7E]+$/],
  ])("in %s, every text is in this language", async (locale, language) => {
    const { workspace, call } = await makeWorld({ locale });
    for (const tool of createMemoryTools(workspace)) {
      expect(tool.description).toMatch(language);
      expect(tool.name).toMatch(/^[a-z_]+$/);
    }
    const texts = [
      await call("list_memories", {}),
      await call("remember", { content: "zsh" }),
      await call("remember", { content: "zsh" }),
      await call("remember", { content: "" }),
      await call("remember", { content: "a".repeat(201) }),
      await call("remember", { content: "ghp_0123456789abcdefghijABCDEFGHIJ012345" }),
      await call("forget", { id: "none" }),
      await call("forget", { id: (await workspace.memories.list())[0]?.id }),
    ];
    for (const text of texts) expect(text).toMatch(language);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe("createMemoryTools", () => {
  test("refuses what is no workspace, a wrong userId and an unknown option", async () => {
    const { workspace } = await makeWorld();
    const calls: [() => unknown, string, string][] = [
      [() => createMemoryTools({} as never), "ERR_OPTION_TYPE", "workspace must be a MemoryWorkspace"],
      [() => createMemoryTools(undefined as never), "ERR_OPTION_TYPE", "workspace must be a MemoryWorkspace"],
      [
        () => createMemoryTools(workspace, { userId: "ann" as never }),
        "ERR_OPTION_TYPE",
        "userId must be a function",
      ],
      [
        () => createMemoryTools(workspace, { user: 1 } as never),
        "ERR_OPTION_UNKNOWN",
        'unknown option "user"',
      ],
      [() => createMemoryTools(workspace, "ann" as never), "ERR_OPTION_TYPE", "options must be an object"],
    ];
    for (const [call, code, message] of calls) {
      expect(call).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }));
    }
  });

  test("takes the function that the middleware takes, and gives typed tools", () => {
    const userId = ({ context }: { context: Readonly<Record<string, unknown>> }) => context.user;
    expectTypeOf<typeof userId>().toExtend<NonNullable<MemoryToolsOptions["userId"]>>();
    expectTypeOf(createMemoryTools).returns.not.toBeAny();
    expectTypeOf(createMemoryTools).parameter(1).not.toBeAny();
  });
});
