import { randomUUID } from "node:crypto";
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnableLambda, RunnablePassthrough } from "@langchain/core/runnables";
import { describe, expect, test } from "vitest";
import { withCrossSessionMemory } from "../../src/index.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { makeWorld, session } from "./world.js";

const prompt = ChatPromptTemplate.fromMessages([
  ["placeholder", "{history}"],
  ["human", "{input}"],
]);

describe("each turn is learned from exactly once", () => {
  const words = ["hello", "ok", "ok", "I use zsh", "ok", "thanks", "one more", "bye"];
  const ids: [string, (at: number, call: number) => string | undefined][] = [
    ["no ids", () => undefined],
    ["new ids in each call", () => randomUUID()],
    ["one id for two different messages", (at) => `m${Math.floor(at / 2)}`],
    ["ids from the second call on", (at, call) => (call === at ? undefined : `m${at}`)],
    ["ids that stay", (at) => `m${at}`],
  ];
  test.each(ids)("with the whole conversation in each call and %s", async (_, idOf) => {
    const { workspace, waiting } = await makeWorld();
    const model = new ScriptedModel((messages) => `to ${messages.at(-1)?.content}`);
    const chat = withCrossSessionMemory(model, { workspace });
    for (const call of words.keys()) {
      const messages = words.slice(0, call + 1).flatMap((word, at): BaseMessage[] => {
        const id = idOf(at, call);
        const fields = id === undefined ? {} : { id };
        const user = new HumanMessage({ content: word, ...fields });
        return at === call ? [user] : [user, new AIMessage({ content: `to ${word}`, ...fields })];
      });
      await chat.invoke(messages, session("s"));
      expect(model.requests.at(-1)).toHaveLength(1 + messages.length);
    }
    expect(await waiting()).toEqual(words.flatMap((word) => [`user: ${word}`, `assistant: to ${word}`]));
  });

  test("with the new words alone in each call", async () => {
    const { workspace, waiting } = await makeWorld();
    const chat = withCrossSessionMemory(new ScriptedModel("fine"), { workspace });
    for (const word of words) await chat.invoke(word, session("s"));
    expect(await waiting()).toEqual(words.flatMap((word) => [`user: ${word}`, "assistant: fine"]));
  });

  test("with fifty sessions at once", async () => {
    const { workspace, extractor, waiting } = await makeWorld();
    const chat = withCrossSessionMemory(
      RunnableLambda.from(({ input }: { input: string }) => `to ${input}.`),
      { workspace },
    );
    const names = Array.from({ length: 50 }, (_, at) => `MARK${at}`);
    await Promise.all(names.map((input) => chat.invoke({ input }, session(input))));
    expect(await waiting()).toHaveLength(100);
    await workspace.extractNow();
    const sent = extractor.prompts.join("\n");
    for (const name of names) {
      expect(sent.split(`"${name}"`), name).toHaveLength(2);
      expect(sent.split(`"to ${name}."`), name).toHaveLength(2);
    }
  });
});

describe("what is learned from", () => {
  test("is never what we injected", async () => {
    const { workspace, model, extractor } = await makeWorld({ rule: "Always answer in haiku" });
    await workspace.memories.add("Prefers dark mode");
    const chat = withCrossSessionMemory(prompt.pipe(model), {
      workspace,
      sessionContext: "The page is home",
      planContext: "Step 1",
    });
    for (let turn = 0; turn < 10; turn++) await chat.invoke({ input: `small talk ${turn}` }, session("s"));
    await workspace.extractNow();
    const [known = "", talk = ""] = extractor.prompts.join("\n").split("[New conversation]");
    expect(known).toContain("Prefers dark mode");
    expect(talk).toContain("small talk 9");
    expect(talk).not.toMatch(/dark mode|haiku|The page|Step 1|# /);
  });

  test("nor a system message of the app's in the messages", async () => {
    const { workspace, model, waiting } = await makeWorld();
    const chat = withCrossSessionMemory(model, { workspace });
    await chat.invoke([new SystemMessage("You are Bo."), new HumanMessage("hi")]);
    expect(await waiting()).toEqual(["user: hi", "assistant: answer 1"]);
  });

  test("is the text alone of content blocks", async () => {
    const { workspace, waiting } = await makeWorld();
    const model = new ScriptedModel(
      new AIMessage({
        content: [
          { type: "thinking", thinking: "user seems sad" },
          { type: "text", text: "Hello" },
        ],
        additional_kwargs: { reasoning_content: "hm" },
      }),
    );
    const image = { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(2_000_000)}` } };
    const chat = withCrossSessionMemory(model, { workspace, sessionId: "s" });
    await chat.invoke([new HumanMessage({ content: [{ type: "text", text: "See" }, image] })]);
    expect(await waiting()).toEqual(["user: See", "assistant: Hello"]);
  });

  test("does not hold a credential, and the app's answer is what it was", async () => {
    const { workspace, waiting } = await makeWorld();
    const chat = withCrossSessionMemory(
      new ScriptedModel("Your key is ghp_0123456789abcdefghijABCDEFGHIJ012345"),
      {
        workspace,
      },
    );
    const answer = await chat.invoke("my password is Mango-7731-tulip");
    expect(answer.text).toContain("ghp_");
    expect((await waiting()).join()).not.toMatch(/ghp_|Mango/);
  });
});

describe("which value is the answer", () => {
  test("an output that holds the input too is untouched, and outputKey finds the answer in it", async () => {
    const { workspace, waiting } = await makeWorld();
    const chain = RunnablePassthrough.assign({ response: ({ input }: { input: string }) => `to ${input}` });
    const chat = withCrossSessionMemory(chain, { workspace, outputKey: "response", memoryKey: "past" });
    const { past, ...output } = (await chat.invoke({ input: "hi" })) as Record<string, unknown>;
    expect(output).toEqual({ input: "hi", response: "to hi" });
    expect(past).toContain("# User rules");
    expect(await waiting()).toEqual(["user: hi", "assistant: to hi"]);
  });

  test.each([[undefined], ["respons"]])(
    "with several outputs and outputKey %j one warning names them, and nothing is recorded",
    async (outputKey) => {
      const { workspace, waiting, logger } = await makeWorld();
      const chain = RunnableLambda.from(({ input }: { input: string }) => ({
        response: `to ${input}`,
        sources: 3,
      }));
      const chat = withCrossSessionMemory(chain, { workspace, outputKey });
      expect(await chat.invoke({ input: "hi" })).toEqual({ response: "to hi", sources: 3 });
      await chat.invoke({ input: "hi" });
      expect(await waiting()).toEqual([]);
      expect(logger.warnings).toEqual([expect.stringMatching(/response, sources.*set outputKey/)]);
    },
  );

  test("with several inputs inputKey finds what the user said; without it one warning names them", async () => {
    const { workspace, waiting, logger } = await makeWorld();
    const chain = RunnableLambda.from(
      ({ question }: { question: string; context: string }) => `to ${question}`,
    );
    const input = { question: "hi", context: "a document" };
    await withCrossSessionMemory(chain, { workspace, inputKey: "question" }).invoke(input);
    expect(await waiting()).toEqual(["user: hi", "assistant: to hi"]);
    expect(logger.warnings).toEqual([]);
    const chat = withCrossSessionMemory(chain, { workspace });
    expect(await chat.invoke(input)).toBe("to hi");
    await chat.invoke(input);
    expect(await waiting()).toHaveLength(2);
    expect(logger.warnings).toEqual([expect.stringMatching(/question, context.*set inputKey/)]);
  });

  test.each([[[]], [[new HumanMessage("old"), new AIMessage("older answer")]]])(
    "of all messages, as a graph gives them (%#), the last turn is recorded once",
    async (old: BaseMessage[]) => {
      const { workspace, waiting } = await makeWorld();
      const graph = RunnableLambda.from(({ messages }: { messages: BaseMessage[] }) => ({
        messages: [...old, ...messages, new AIMessage("new answer")],
      }));
      const chat = withCrossSessionMemory(graph, { workspace });
      await chat.invoke({ messages: [new HumanMessage("hi")] });
      expect(await waiting()).toEqual(["user: hi", "assistant: new answer"]);
    },
  );

  test("an answer without text is the app's own, and only warned of where it is empty", async () => {
    const { workspace, waiting, logger } = await makeWorld();
    const chat = withCrossSessionMemory(
      RunnableLambda.from((): unknown => undefined),
      { workspace },
    );
    expect(await chat.invoke({ input: "hi" })).toBeUndefined();
    expect(await waiting()).toEqual([]);
    expect(logger.warnings).toEqual([expect.stringContaining("no answer came out")]);
  });
});
