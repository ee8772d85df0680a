import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnableLambda } from "@langchain/core/runnables";
import { createAgent, tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type ContextReport, type RunConfig, withCrossSessionMemory } from "../../src/index.js";
import { bundle } from "../support/bundle.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { makeWorld, session, waitingIn } from "./world.js";

const prompt = ChatPromptTemplate.fromMessages([
  ["placeholder", "{history}"],
  ["human", "{input}"],
]);
const echo = RunnableLambda.from(({ input }: { input: string }) => `echo ${input}`);

describe("the session of a run", () => {
  test("is configurable.thread_id, else configurable.sessionId, else the option's", async () => {
    const { workspace, waiting } = await makeWorld();
    const chat = withCrossSessionMemory(echo, { workspace, sessionId: "option" });
    await chat.invoke({ input: "1" }, session("thread"));
    await chat.invoke({ input: "2" }, { configurable: { sessionId: "session" } });
    await chat.invoke({ input: "3" });
    await chat.invoke({ input: "4" }, session(7));
    await chat.invoke({ input: "5" }, session(0));
    expect(await waiting("thread")).toEqual(["user: 1", "assistant: echo 1"]);
    expect(await waiting("session")).toEqual(["user: 2", "assistant: echo 2"]);
    expect(await waiting("option")).toEqual(["user: 3", "assistant: echo 3"]);
    expect(await waiting("7")).toEqual(["user: 4", "assistant: echo 4"]);
    expect(await waiting("0")).toEqual(["user: 5", "assistant: echo 5"]);
  });

  test.each([[""], [null], [{ a: 1 }], [undefined]])(
    "is a fresh one of the wrapper where thread_id is %j and there is no option",
    async (id) => {
      const { workspace, dir } = await makeWorld();
      await withCrossSessionMemory(echo, { workspace }).invoke({ input: "1" }, session(id));
      await withCrossSessionMemory(echo, { workspace }).invoke({ input: "2" }, session(id));
      const files = await readdir(join(dir, "chats"));
      expect(files).toHaveLength(2);
      for (const file of files) expect(file).toMatch(/^[0-9a-f-]{36}\.jsonl$/);
    },
  );

  test("keeps three sessions of one batch apart", async () => {
    const { workspace, model, server, waiting } = await makeWorld({
      reply: ({ messages }) => `you said ${messages.at(-1)?.content}`,
    });
    const chat = withCrossSessionMemory(prompt.pipe(model).pipe(new StringOutputParser()), { workspace });
    const inputs = ["a", "b", "c"].map((input) => ({ input }));
    const configs = ["A", "B", "C"].map((id) => session(id));
    expect(await chat.batch(inputs, configs)).toEqual(["you said a", "you said b", "you said c"]);
    await chat.batch(inputs, configs);
    for (const name of ["a", "b", "c"]) {
      const turn = [`user: ${name}`, `assistant: you said ${name}`];
      expect(await waiting(name.toUpperCase())).toEqual([...turn, ...turn]);
    }
    const second = server.requests
      .slice(3)
      .map(({ messages }) => messages.slice(1).map(({ content }) => content));
    expect(second.sort()).toEqual(["a", "b", "c"].map((name) => [name, `you said ${name}`, name]));
  });
});

describe("a session's conversation", () => {
  test("is kept in chats/<session>.jsonl, and another process goes on with it", async () => {
    const { workspace, dir, model, sent } = await makeWorld();
    const { file, remove } = await bundle("test/runnable/child.ts");
    try {
      expect(await run(file, [dir, "hello from a child"])).toBe(0);
    } finally {
      await remove();
    }
    await withCrossSessionMemory(prompt.pipe(model), { workspace, sessionId: "s" }).invoke({ input: "and?" });
    expect(sent().slice(1)).toEqual([
      "user: hello from a child",
      "assistant: hello from a child",
      "user: and?",
    ]);
    const lines = (await readFile(join(dir, "chats", "s.jsonl"), "utf8")).trimEnd().split("\n");
    expect(lines).toHaveLength(4);
  });

  test("goes on after the wrapper is made anew", async () => {
    const { workspace, model, sent } = await makeWorld();
    for (const input of ["one", "two"]) {
      await withCrossSessionMemory(model, { workspace, sessionId: "s" }).invoke(input);
    }
    expect(sent().slice(1)).toEqual(["user: one", "assistant: answer 1", "user: two"]);
  });

  test("holds a tool's call and result, and the whole turn is recorded when it has its answer", async () => {
    const { workspace, waiting } = await makeWorld();
    const call = new AIMessage({ content: "", tool_calls: [{ id: "c1", name: "f", args: {} }] });
    const model = new ScriptedModel(call, "It is noon.", "Bye.");
    const chat = withCrossSessionMemory(model, { workspace, sessionId: "s" });
    await chat.invoke("what time is it?");
    expect(await waiting()).toEqual([]);
    await chat.invoke([new ToolMessage({ content: "12:00", tool_call_id: "c1" })]);
    expect(await waiting()).toEqual(["user: what time is it?", "assistant: It is noon."]);
    await chat.invoke("bye");
    expect(model.requests[2]?.map((message) => message.getType())).toEqual([
      "system",
      "human",
      "ai",
      "tool",
      "ai",
      "human",
    ]);
    expect(await waiting()).toHaveLength(4);
  });

  test("sends no call without a result, where the user went on otherwise", async () => {
    const { workspace, waiting } = await makeWorld();
    const call = new AIMessage({ content: "", tool_calls: [{ id: "c1", name: "f", args: {} }] });
    const model = new ScriptedModel("Hi.", call, "Never mind then.", "Bye.");
    const chat = withCrossSessionMemory(model, { workspace, sessionId: "s" });
    for (const input of ["hello", "what time is it?", "forget it", "bye"]) await chat.invoke(input);
    expect(
      model.requests
        .at(-1)
        ?.slice(1)
        .map(({ content }) => content),
    ).toEqual(["hello", "Hi.", "forget it", "Never mind then.", "bye"]);
    expect(await waiting()).toEqual(
      ["user: hello", "assistant: Hi.", "user: forget it", "assistant: Never mind then."].concat([
        "user: bye",
        "assistant: Bye.",
      ]),
    );
  });

  test("holds a turn once, where an app that runs its tools itself sends it again and again", async () => {
    const { workspace, waiting, dir } = await makeWorld();
    const call = (id: string) => new AIMessage({ content: "", tool_calls: [{ id, name: "f", args: {} }] });
    const model = new ScriptedModel(call("c1"), call("c2"), "Done.", "Bye.");
    const chat = withCrossSessionMemory(model, { workspace, sessionId: "s" });
    const messages: BaseMessage[] = [new HumanMessage("do it twice")];
    for (const id of ["c1", "c2", ""]) {
      messages.push(await chat.invoke(messages));
      if (id !== "") messages.push(new ToolMessage({ content: "done", tool_call_id: id }));
    }
    expect(await waiting()).toEqual(["user: do it twice", "assistant: Done."]);
    await chat.invoke("bye");
    expect(model.requests.at(-1)?.map((message) => message.getType())).toEqual([
      "system",
      "human",
      "ai",
      "tool",
      "ai",
      "tool",
      "ai",
      "human",
    ]);
    expect(await waitingIn(dir)).toHaveLength(4);
    // The first call was sent without its turn's later messages; what came in between is not kept again and again.
    const kept = (await readFile(join(dir, "chats", "s.jsonl"), "utf8")).trimEnd().split("\n");
    expect(kept).toHaveLength(2 + 6 + 2);
  });
});

describe("users", () => {
  const userId = ({ configurable }: RunConfig) => configurable?.user;

  test("never share memories, conversations or what waits, even in a session of one name", async () => {
    const { workspace, model, sent, dir } = await makeWorld();
    await workspace.forUser("ann").memories.add("Ann lives in Oslo");
    await workspace.forUser("bob").memories.add("Bob lives in Lima");
    const chat = withCrossSessionMemory(prompt.pipe(model), { workspace, userId });
    await chat.invoke({ input: "I am Ann" }, session("s", { user: "ann" }));
    expect(sent().join()).toContain("Oslo");
    expect(sent().join()).not.toContain("Lima");
    await chat.invoke({ input: "I am Bob" }, session("s", { user: "bob" }));
    expect(sent().join()).toContain("Lima");
    expect(sent().join()).not.toMatch(/Oslo|Ann/);
    expect(await waitingIn(join(dir, "users", "ann"))).toEqual(["user: I am Ann", "assistant: answer 1"]);
    expect(await waitingIn(join(dir, "users", "bob"))).toEqual(["user: I am Bob", "assistant: answer 2"]);
    expect(await waitingIn(dir)).toEqual([]);
  });

  test("one who was deleted begins anew: no conversation is left, neither what was said in private", async () => {
    const { workspace, model, sent } = await makeWorld();
    const chat = withCrossSessionMemory(prompt.pipe(model), { workspace, userId });
    await chat.invoke({ input: "I am Ann" }, session("s", { user: "ann" }));
    await chat.invoke({ input: "I am ill" }, session("s", { user: "ann", memory: "off" }));
    await workspace.deleteUser("ann");
    await chat.invoke({ input: "hi" }, session("s", { user: "ann" }));
    expect(sent()).toEqual([expect.stringContaining("# User rules"), "user: hi"]);
  });

  test.each([[undefined], [""], [7], ["throws"]])(
    "a run whose user is %j goes on without memory and is recorded nowhere, which is warned of once",
    async (user) => {
      const { workspace, model, sent, dir, logger } = await makeWorld();
      await workspace.memories.add("Somebody lives in Oslo");
      const chat = withCrossSessionMemory(prompt.pipe(model), {
        workspace,
        userId: () => {
          if (user === "throws") throw new Error("no such user");
          return user;
        },
      });
      await chat.invoke({ input: "hi" }, session("s"));
      await chat.invoke({ input: "hi" }, session("s"));
      expect(sent()).toEqual([expect.stringContaining("# User rules"), "user: hi"]);
      expect(sent().join()).not.toContain("Oslo");
      expect((await readdir(dir)).sort()).toEqual(["memory", "rules", "skills"]);
      expect(logger.warnings).toHaveLength(1);
    },
  );
});

describe("a temporary run", () => {
  test("gets rules and no memories, and nothing of it is learned then or later, nor on the disk", async () => {
    const { workspace, model, sent, dir, extractor } = await makeWorld();
    await workspace.memories.add("The user lives in Oslo");
    const chat = withCrossSessionMemory(prompt.pipe(model), { workspace });
    await Promise.all([
      chat.invoke({ input: "I was diagnosed with X" }, session("s", { memory: "off" })),
      chat.invoke({ input: "I use zsh" }, session("other")),
    ]);
    await chat.invoke({ input: "I was diagnosed with X, you know" }, session("s", { memory: "off" }));
    expect(sent()[0]).toContain("# User rules");
    expect(sent().join()).not.toContain("Oslo");
    await chat.invoke({ input: "what now?" }, session("s"));
    expect(sent().join()).toContain("Oslo");
    await workspace.extractNow();
    expect(extractor.prompts.join()).toContain("I use zsh");
    expect(extractor.prompts.join()).toContain("what now?");
    expect(extractor.prompts.join()).not.toContain("diagnosed");
    for (const file of await readdir(dir, { recursive: true, withFileTypes: true })) {
      if (file.isFile())
        expect(await readFile(join(file.parentPath, file.name), "utf8")).not.toContain("diagnosed");
    }
  });

  test("with the whole conversation sent later, the private part of it is passed over", async () => {
    const { workspace, model, extractor } = await makeWorld();
    const chat = withCrossSessionMemory(model, { workspace });
    const messages: BaseMessage[] = [new HumanMessage("I was diagnosed with X")];
    messages.push(await chat.invoke(messages, session("s", { memory: "off" })));
    messages.push(new HumanMessage("what now?"));
    await chat.invoke(messages, session("s"));
    await workspace.extractNow();
    expect(extractor.prompts.join()).toContain("what now?");
    expect(extractor.prompts.join()).not.toContain("diagnosed");
  });

  test("a user's switch does the same", async () => {
    const { workspace, model, sent, waiting } = await makeWorld();
    await workspace.memories.add("The user lives in Oslo");
    await workspace.settings.update({ aiMemoryEnabled: false });
    await withCrossSessionMemory(model, { workspace }).invoke("hi");
    expect(sent().join()).not.toContain("Oslo");
    expect(await waiting()).toEqual([]);
  });
});

describe("within a tool of an agent", () => {
  test("a chain is given the memories and is not recorded: the agent's words are not the user's", async () => {
    const { workspace, model, sent, waiting, dir } = await makeWorld();
    await workspace.memories.add("The user lives in Oslo");
    const chat = withCrossSessionMemory(prompt.pipe(model).pipe(new StringOutputParser()), { workspace });
    const expert = tool(({ question }, config) => chat.invoke({ input: question }, config), {
      name: "expert",
      description: "knows",
      schema: z.object({ question: z.string() }),
    });
    const call = new AIMessage({
      content: "",
      tool_calls: [{ id: "c1", name: "expert", args: { question: "Where?" } }],
    });
    const parent = new ScriptedModel(call, "Done.");
    const agent = createAgent({ model: Object.assign(parent, { bindTools: () => parent }), tools: [expert] });
    const { messages } = await agent.invoke({ messages: [new HumanMessage("ask")] }, session("s"));
    expect(messages.at(-2)?.content).toBe("answer 1");
    expect(sent()).toEqual([expect.stringContaining("Oslo"), "user: Where?"]);
    expect(await waiting()).toEqual([]);
    expect(await readdir(dir)).not.toContain("chats");
    await chat.invoke({ input: "hi" }, session("s"));
    expect(await waiting()).toEqual(["user: hi", "assistant: answer 2"]);
  });
});

describe("what shaped an answer", () => {
  test("onContext is told kinds, file names and memory ids, no text, at each assembly", async () => {
    const { workspace, model } = await makeWorld();
    const { id } = await workspace.forUser("ann").memories.add("Ann lives in Oslo");
    const reports: ContextReport[] = [];
    const chat = withCrossSessionMemory(prompt.pipe(model), {
      workspace,
      userId: () => "ann",
      sessionContext: ({ configurable }) => `The page is ${configurable?.page}`,
      planContext: "Step 1",
      onContext: (report) => reports.push(report),
    });
    await chat.invoke({ input: "hi" }, session("s", { page: "home" }));
    await chat.invoke({ input: "hi" }, session("s", { page: "cart" }));
    expect(reports).toHaveLength(2);
    expect(reports[0]).toMatchObject({ sessionId: "s", userId: "ann" });
    expect(reports[0]?.segments.map(({ kind, sources }) => [kind, sources])).toEqual([
      ["rules", ["style.md"]],
      ["memory", [id]],
      ["session", []],
    ]);
    expect(JSON.stringify(reports)).not.toMatch(/Oslo|briefly|Step 1|home/);
  });

  test("what it throws, and what the app's other functions throw, costs no turn and is warned of once", async () => {
    const { workspace, model, sent, logger } = await makeWorld();
    const broken = () => {
      throw new Error("SECRET of the app");
    };
    const chat = withCrossSessionMemory(model, {
      workspace,
      onContext: broken,
      sessionContext: broken,
      planContext: (async () => "later") as never,
    });
    await chat.invoke("hi");
    await chat.invoke("hi");
    expect(sent(0)).toEqual([expect.stringContaining("Answer briefly."), "user: hi"]);
    expect(logger.warnings).toHaveLength(3);
    expect(logger.all).not.toContain("SECRET");
  });
});

async function run(file: string, args: readonly string[]): Promise<number | null> {
  const child = spawn(process.execPath, ["--unhandled-rejections=strict", file, ...args]);
  return new Promise((resolve) => child.once("close", resolve));
}
