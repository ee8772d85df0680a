import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate, MessagesPlaceholder, PromptTemplate } from "@langchain/core/prompts";
import {
  type Runnable,
  RunnableBranch,
  RunnableLambda,
  RunnableMap,
  RunnablePassthrough,
  RunnableSequence,
} from "@langchain/core/runnables";
import { describe, expect, test } from "vitest";
import { withCrossSessionMemory } from "../../src/index.js";
import { sendStatus } from "../support/model-server.js";
import { makeWorld, ruleText, type World } from "./world.js";

const parser = new StringOutputParser();
const plainPrompt = ChatPromptTemplate.fromMessages([
  ["system", "You are Bo."],
  ["human", "{input}"],
]);
const placeholderPrompt = ChatPromptTemplate.fromMessages([
  ["system", "You are Bo."],
  new MessagesPlaceholder("history"),
  ["human", "{input}"],
]);
const textPrompt = ChatPromptTemplate.fromMessages([
  ["system", "You are Bo."],
  ["human", "So far:\n{history}\nNow: {input}"],
]);
const withRule = `system: You are Bo.\n\n${ruleText}`;

describe("where the runnable begins with a chat prompt", () => {
  test("the context is folded into its first system message, in one system message", async () => {
    const { workspace, model, sent } = await makeWorld();
    const chain = withCrossSessionMemory(plainPrompt.pipe(model).pipe(parser), { workspace });
    expect(await chain.invoke({ input: "hi" })).toBe("answer 1");
    expect(sent()).toEqual([withRule, "user: hi"]);
  });

  test("a prompt without a system message gets one, at the beginning", async () => {
    const { workspace, model, sent } = await makeWorld();
    const prompt = ChatPromptTemplate.fromMessages([["human", "{input}"]]);
    await withCrossSessionMemory(prompt.pipe(model), { workspace }).invoke({ input: "hi" });
    expect(sent()).toEqual([`system: ${ruleText}`, "user: hi"]);
  });

  test("a placeholder takes the session's messages", async () => {
    const { workspace, model, sent } = await makeWorld();
    const chain = withCrossSessionMemory(placeholderPrompt.pipe(model), { workspace });
    await chain.invoke({ input: "hi" });
    await chain.invoke({ input: "and?" });
    expect(sent()).toEqual([withRule, "user: hi", "assistant: answer 1", "user: and?"]);
  });

  test("a text variable takes the session as text, without the context", async () => {
    const { workspace, model, sent } = await makeWorld();
    const chain = withCrossSessionMemory(textPrompt.pipe(model), { workspace });
    await chain.invoke({ input: "hi" });
    await chain.invoke({ input: "and?" });
    expect(sent()).toEqual([withRule, "user: So far:\nHuman: hi\nAI: answer 1\nNow: and?"]);
  });

  test("memoryKey names another variable", async () => {
    const { workspace, model, sent } = await makeWorld();
    const prompt = ChatPromptTemplate.fromMessages([new MessagesPlaceholder("past"), ["human", "{input}"]]);
    const chain = withCrossSessionMemory(prompt.pipe(model), { workspace, memoryKey: "past" });
    await chain.invoke({ input: "hi" });
    await chain.invoke({ input: "and?" });
    expect(sent().slice(1)).toEqual(["user: hi", "assistant: answer 1", "user: and?"]);
  });

  test("a conversation that the app gives itself stays", async () => {
    const { workspace, model, sent } = await makeWorld();
    const chain = withCrossSessionMemory(placeholderPrompt.pipe(model), { workspace });
    await chain.invoke({ input: "hi" });
    await chain.invoke({ input: "and?", history: [new HumanMessage("mine"), new AIMessage("yours")] });
    expect(sent()).toEqual([withRule, "user: mine", "assistant: yours", "user: and?"]);
  });

  test("a string, or messages, are the prompt's only other variable", async () => {
    const { workspace, model, sent } = await makeWorld();
    await withCrossSessionMemory(placeholderPrompt.pipe(model), { workspace }).invoke("hi");
    expect(sent()).toEqual([withRule, "user: hi"]);
    const prompt = ChatPromptTemplate.fromMessages([["placeholder", "{messages}"]]);
    await withCrossSessionMemory(prompt.pipe(model), { workspace }).invoke([new HumanMessage("you")]);
    expect(sent()).toEqual([`system: ${ruleText}`, "user: you"]);
  });

  const wrapped: [string, (world: World) => RunnableSequence][] = [
    ["pipe", ({ model }) => plainPrompt.pipe(model).pipe(parser) as never],
    ["a sequence in a sequence", ({ model }) => RunnableSequence.from([plainPrompt.pipe(model), parser])],
    [
      "withConfig",
      ({ model }) =>
        plainPrompt
          .pipe(model)
          .pipe(parser)
          .withConfig({ tags: ["t"] }) as never,
    ],
    ["withRetry", ({ model }) => plainPrompt.pipe(model).pipe(parser).withRetry() as never],
    [
      "a bound prompt",
      ({ model }) =>
        plainPrompt
          .withConfig({ tags: ["p"] })
          .pipe(model)
          .pipe(parser) as never,
    ],
    [
      "withFallbacks",
      ({ model }) =>
        plainPrompt
          .pipe(model)
          .pipe(parser)
          .withFallbacks([RunnableLambda.from(() => "fallback")]) as never,
    ],
  ];
  test.each(wrapped)("it is found within %s, and what is around it goes on working", async (_, make) => {
    const world = await makeWorld();
    expect(
      await withCrossSessionMemory(make(world), { workspace: world.workspace }).invoke({ input: "hi" }),
    ).toBe("answer 1");
    expect(world.sent()).toEqual([withRule, "user: hi"]);
    expect(await world.waiting()).toEqual(["user: hi", "assistant: answer 1"]);
  });

  test("retries are tried again with the context", async () => {
    const { workspace, model, server, sent } = await makeWorld({
      reply: (_, index) => (index === 0 ? sendStatus(503) : "second"),
    });
    const chain = plainPrompt.pipe(model).pipe(parser).withRetry({ stopAfterAttempt: 2 });
    expect(await withCrossSessionMemory(chain, { workspace }).invoke({ input: "hi" })).toBe("second");
    expect(server.requests).toHaveLength(2);
    expect(sent(1)).toEqual([withRule, "user: hi"]);
  });

  test("every fallback with a prompt of its own gets the context", async () => {
    const { workspace, model, sent } = await makeWorld({
      reply: (_, index) => (index === 0 ? sendStatus(400) : "second"),
    });
    const other = ChatPromptTemplate.fromMessages([
      ["system", "You are Al."],
      ["human", "{input}"],
    ]);
    const chain = plainPrompt.pipe(model).withFallbacks([other.pipe(model)]);
    await withCrossSessionMemory(chain, { workspace }).invoke({ input: "hi" });
    expect(sent(1)).toEqual([`system: You are Al.\n\n${ruleText}`, "user: hi"]);
  });

  test("the app's own chain is not changed", async () => {
    const { workspace, model, sent } = await makeWorld();
    const chain = plainPrompt.pipe(model);
    await withCrossSessionMemory(chain, { workspace }).invoke({ input: "hi" });
    await chain.invoke({ input: "hi" });
    expect(sent()).toEqual(["system: You are Bo.", "user: hi"]);
  });

  test("a chat prompt alone is given the context, and is told that no answer comes out of it", async () => {
    const { workspace, model, sent, waiting, logger } = await makeWorld();
    await withCrossSessionMemory(plainPrompt, { workspace }).pipe(model).invoke({ input: "hi" });
    expect(sent()).toEqual([withRule, "user: hi"]);
    expect(await waiting()).toEqual([]);
    expect(logger.warnings.join()).toContain("no answer came out");
  });

  test("the app's own blocks, cache marks included, stay as they are", async () => {
    const { workspace, model, server } = await makeWorld();
    const own = { type: "text", text: "You are Bo.", cache_control: { type: "ephemeral" } };
    const prompt = ChatPromptTemplate.fromMessages([
      new SystemMessage({ content: [own] }),
      ["human", "{input}"],
    ]);
    await withCrossSessionMemory(prompt.pipe(model), { workspace }).invoke({ input: "hi" });
    expect(server.requests[0]?.messages[0]?.content).toEqual([
      own,
      { type: "text", text: `\n\n${ruleText}` },
    ]);
  });

  test("braces and replacement patterns are sent char for char", async () => {
    const rule = "function f(a){return a+b} {{x}} {input} $& $1 $$";
    const { workspace, model, sent } = await makeWorld({ rule });
    await workspace.memories.add("Formats dates as {yyyy}-{mm} and $&");
    const chain = withCrossSessionMemory(placeholderPrompt.pipe(model), { workspace });
    await chain.invoke({ input: "use {braces} and $&" });
    await chain.invoke({ input: "again {x}" });
    expect(sent()[0]).toContain(rule);
    expect(sent()[0]).toContain("- Formats dates as {yyyy}-{mm} and $&");
    expect(sent().slice(1)).toEqual(["user: use {braces} and $&", "assistant: answer 1", "user: again {x}"]);
  });
});

describe("where the runnable is a chat model", () => {
  const inputs: [string, unknown][] = [
    ["a string", "hi"],
    ["a message", new HumanMessage("hi")],
    ["messages", [new HumanMessage("hi")]],
    ["pairs", [["human", "hi"]]],
    ["plain messages", [{ role: "user", content: "hi" }]],
  ];
  test.each(inputs)("%s goes in with the context before it", async (_, input) => {
    const { workspace, model, sent, waiting } = await makeWorld();
    await withCrossSessionMemory(model, { workspace }).invoke(input as string);
    expect(sent()).toEqual([`system: ${ruleText}`, "user: hi"]);
    expect(await waiting()).toEqual(["user: hi", "assistant: answer 1"]);
  });

  test("a prompt value goes in, with its own system message first", async () => {
    const { workspace, model, sent } = await makeWorld();
    const chat = withCrossSessionMemory(model, { workspace });
    await chat.invoke("hi");
    await plainPrompt.pipe(chat).invoke({ input: "and?" });
    expect(sent()).toEqual([withRule, "user: hi", "assistant: answer 1", "user: and?"]);
  });

  test("a whole conversation goes in as it is, and its last turn alone is recorded", async () => {
    const { workspace, model, sent, waiting } = await makeWorld();
    const conversation = Array.from({ length: 4 }, (_, at) => [`q${at}`, `a${at}`])
      .flat()
      .map((text, at) => (at % 2 === 0 ? new HumanMessage(text) : new AIMessage(text)));
    const chat = withCrossSessionMemory(model, { workspace, sessionId: "s" });
    await chat.invoke([...conversation, new HumanMessage("q4")]);
    expect(sent()).toHaveLength(10);
    expect(await waiting()).toEqual(["user: q4", "assistant: answer 1"]);
  });

  const wrapped: [string, (world: World) => unknown][] = [
    ["withConfig", ({ model }) => model.withConfig({ stop: ["END"] })],
    [
      "bindTools",
      ({ model }) => model.bindTools([{ type: "function", function: { name: "f", parameters: {} } }]),
    ],
    ["withRetry", ({ model }) => model.withRetry()],
    ["withFallbacks", ({ model }) => model.withFallbacks([model])],
    ["a parser behind it", ({ model }) => model.pipe(parser)],
  ];
  test.each(wrapped)("it is found within %s", async (_, make) => {
    const world = await makeWorld();
    await withCrossSessionMemory(make(world) as World["model"], { workspace: world.workspace }).invoke("hi");
    expect(world.sent()).toEqual([`system: ${ruleText}`, "user: hi"]);
    expect(world.logger.warnings).toEqual([]);
  });

  test("what withConfig and bindTools give goes to the server", async () => {
    const { workspace, model, server } = await makeWorld();
    await withCrossSessionMemory(model.withConfig({ stop: ["END"] }), { workspace }).invoke("hi");
    expect(server.requests[0]?.stop).toEqual(["END"]);
    await withCrossSessionMemory(model, { workspace }).invoke("hi", { stop: ["STOP"] });
    expect(server.requests[1]?.stop).toEqual(["STOP"]);
  });

  test("with nothing to inject, the request is as it was", async () => {
    const { workspace, server, model } = await makeWorld({ rule: "" });
    const messages = [
      new SystemMessage("first"),
      new SystemMessage("second"),
      new HumanMessage("hi"),
      new SystemMessage("in the middle"),
      new HumanMessage("go on"),
    ];
    await withCrossSessionMemory(model, { workspace }).invoke(messages);
    await model.invoke(messages);
    expect(server.requests[0]).toEqual(server.requests[1]);
  });

  test("where the workspace has no model, it extracts", async () => {
    const { workspace, model, logger } = await makeWorld({
      model: undefined,
      reply: (_, index) => (index === 0 ? "Noted." : '[{"content":"The user lives in Oslo"}]'),
    });
    await withCrossSessionMemory(model.withConfig({ tags: ["t"] }), { workspace }).invoke("I live in Oslo");
    await workspace.extractNow();
    expect((await workspace.memories.list()).map(({ content }) => content)).toEqual([
      "The user lives in Oslo",
    ]);
    expect(logger.warnings).toEqual([]);
  });

  test("behind a prompt it does not: without a model nothing is learned, which is warned of once", async () => {
    const { workspace, model, waiting, logger } = await makeWorld({ model: undefined });
    const chain = withCrossSessionMemory(plainPrompt.pipe(model), { workspace });
    await chain.invoke({ input: "hi" });
    await chain.invoke({ input: "hi" });
    expect(await waiting()).toEqual([]);
    expect(logger.warnings).toEqual([expect.stringContaining("no model is set")]);
  });
});

describe("elsewhere", () => {
  test("the context comes as the variable, with the conversation behind it", async () => {
    const { workspace } = await makeWorld();
    const seen: unknown[] = [];
    const chain = RunnableLambda.from((values: { input: string; history?: string }) => {
      seen.push(values.history);
      return `you said ${values.input}`;
    });
    const chat = withCrossSessionMemory(chain, { workspace });
    await chat.invoke({ input: "hi" });
    await chat.invoke({ input: "and?" });
    expect(seen).toEqual([ruleText, `${ruleText}\n\nHuman: hi\nAI: you said hi`]);
  });

  test("it is in front of a conversation that the app gives itself, in the form that this has", async () => {
    const { workspace } = await makeWorld();
    const seen: unknown[] = [];
    const chain = RunnableLambda.from((values: { input: string; history: unknown }) => {
      seen.push(values.history);
      return "ok";
    });
    const chat = withCrossSessionMemory(chain, { workspace });
    await chat.invoke({ input: "hi", history: "Human: mine" });
    await chat.invoke({ input: "hi", history: [new HumanMessage("mine")] });
    expect(seen[0]).toBe(`${ruleText}\n\nHuman: mine`);
    expect((seen[1] as BaseMessage[]).map(({ content }) => content)).toEqual([ruleText, "mine"]);
  });

  test("a string prompt takes the variable", async () => {
    const { workspace, model, sent } = await makeWorld();
    const prompt = PromptTemplate.fromTemplate("{history}\nQ: {input}");
    const chain = withCrossSessionMemory(prompt.pipe(model) as Runnable<{ input: string }>, { workspace });
    await chain.invoke({ input: "hi {x}" });
    expect(sent()).toEqual([`user: ${ruleText}\nQ: hi {x}`]);
  });

  test("a map that comes first hands the variable on", async () => {
    const { workspace, model, sent } = await makeWorld();
    const chain = RunnableSequence.from([
      {
        input: (values: { input: string; history?: string }) => values.input,
        history: (values: { input: string; history?: string }) => values.history,
      },
      textPrompt,
      model,
      parser,
    ]);
    await withCrossSessionMemory(chain, { workspace }).invoke({ input: "hi" });
    expect(sent()).toEqual(["system: You are Bo.", `user: So far:\n${ruleText}\nNow: hi`]);
  });

  test("a later chat prompt that takes messages gets messages, and the context in its system message", async () => {
    const { workspace, model, sent } = await makeWorld();
    const chain = RunnablePassthrough.assign({ now: () => "noon" })
      .pipe(placeholderPrompt)
      .pipe(model)
      .pipe(parser);
    const chat = withCrossSessionMemory(chain, { workspace });
    await chat.invoke({ input: "hi" });
    await chat.invoke({ input: "and?" });
    expect(sent()).toEqual([withRule, "user: hi", "assistant: answer 1", "user: and?"]);
  });

  test("a later chat prompt without the variable gets the context in its system message", async () => {
    const { workspace, model, sent } = await makeWorld();
    const chain = RunnablePassthrough.assign({ now: () => "noon" })
      .pipe(plainPrompt)
      .pipe(model)
      .pipe(parser)
      .withConfig({ tags: ["t"] });
    await withCrossSessionMemory(chain, { workspace }).invoke({ input: "hi" });
    expect(sent()).toEqual([withRule, "user: hi"]);
  });

  test.each<[string, (model: World["model"]) => Runnable<{ input: string }>]>([
    [
      "branch",
      (model) =>
        RunnableBranch.from([[() => false, plainPrompt.pipe(model)], placeholderPrompt.pipe(model)]) as never,
    ],
    [
      "branch that is not its default",
      (model) =>
        RunnableBranch.from([[() => true, placeholderPrompt.pipe(model)], plainPrompt.pipe(model)]) as never,
    ],
    ["map", (model) => RunnableMap.from({ output: placeholderPrompt.pipe(model) }) as never],
    [
      "map whose outcome is assigned",
      (model) => RunnablePassthrough.assign({ output: placeholderPrompt.pipe(model).pipe(parser) }) as never,
    ],
  ])("a chat prompt within a %s gets the context in its system message, and messages", async (_, chainOf) => {
    const { workspace, model, sent } = await makeWorld();
    const chat = withCrossSessionMemory(chainOf(model), { workspace, outputKey: "output" });
    await chat.invoke({ input: "hi" });
    await chat.invoke({ input: "and?" });
    expect(sent()).toEqual([withRule, "user: hi", "assistant: answer 1", "user: and?"]);
  });

  test("where one of several prompts takes the conversation as text, all get the variable", async () => {
    const { workspace, model, sent } = await makeWorld();
    const other = PromptTemplate.fromTemplate("{history}\nQ: {input}").pipe(model);
    const chain = RunnableBranch.from([[({ input }) => input === "hi", plainPrompt.pipe(model)], other]);
    const chat = withCrossSessionMemory(chain as Runnable<{ input: string }>, { workspace });
    await chat.invoke({ input: "hi" });
    await chat.invoke({ input: "and?" });
    expect(sent()).toEqual([`user: ${ruleText}\n\nHuman: hi\nAI: answer 1\nQ: and?`]);
  });

  test("messages that go in get the context as their system message", async () => {
    const { workspace, model, sent } = await makeWorld();
    const chain = RunnableLambda.from((messages: BaseMessage[]) => messages.slice(-3)).pipe(model);
    await withCrossSessionMemory(chain, { workspace }).invoke([new HumanMessage("hi")]);
    expect(sent()).toEqual([`system: ${ruleText}`, "user: hi"]);
  });

  test("a string that goes in has no place for it: that is warned of once, and the turn is recorded", async () => {
    const { workspace, waiting, logger } = await makeWorld();
    const chat = withCrossSessionMemory(
      RunnableLambda.from((text: string) => text.toUpperCase()),
      { workspace },
    );
    expect(await chat.invoke("hi")).toBe("HI");
    expect(await chat.invoke("you")).toBe("YOU");
    expect(await waiting()).toEqual(["user: hi", "assistant: HI", "user: you", "assistant: YOU"]);
    expect(logger.warnings).toHaveLength(1);
    expect(logger.warnings[0]).toContain("it gets no context");
  });
});
