import { InMemoryChatMessageHistory } from "@langchain/core/chat_history";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnableLambda } from "@langchain/core/runnables";
import { expect, test } from "vitest";
import type { CrossSessionMemory } from "../../src/index.js";
import { chainWorld } from "./world.js";

const health = "I was diagnosed with asthma.";

async function worldWithMemory() {
  const world = await chainWorld({ structuredOutput: "off" });
  await world.write("rules/a.md", "Answer in one line.");
  await world.workspace.memories.add("The user prefers zsh.");
  return world;
}

test("the option temporary: nothing is recorded, no memories are injected, rules are", async () => {
  const world = await worldWithMemory();
  const memory = world.memoryOf({ temporary: true, sessionId: "s" });
  const chain = world.chainOf(memory);
  await chain.invoke({ input: health });
  await chain.invoke({ input: "And now?" });

  expect(world.promptOf(1)).toContain("Answer in one line.");
  expect(world.promptOf(1)).not.toContain("zsh");
  // The conversation itself goes on in this process.
  expect(world.promptOf(1)).toContain(health);
  expect(await world.workspace.waiting.count()).toMatchObject({ messages: 0 });
  const restarted = world.memoryOf({ workspace: world.openWorkspace(), sessionId: "s" });
  expect((await restarted.loadMemoryVariables({})).history).not.toContain(health);
});

test('configurable.memory "off" of a surrounding run holds for that run, and the run beside it is not affected', async () => {
  const world = await worldWithMemory();
  const [quiet, open] = [world.memoryOf({ sessionId: "quiet" }), world.memoryOf({ sessionId: "open" })];
  const ask = RunnableLambda.from(({ memory, input }: { memory: CrossSessionMemory; input: string }) =>
    world.chainOf(memory).invoke({ input }),
  );

  await Promise.all([
    ask.invoke({ memory: quiet, input: health }, { configurable: { memory: "off" } }),
    ask.invoke({ memory: open, input: "I like tea." }),
  ]);
  await ask.invoke({ memory: quiet, input: "Something else." });
  await world.workspace.extractNow();

  const promptWith = (words: string) =>
    world.server.requests.map((request) => JSON.stringify(request)).find((text) => text.includes(words));
  expect(promptWith("Human: I was diagnosed")).not.toContain("zsh");
  expect(promptWith("Human: I like tea.")).toContain("zsh");
  const extraction = JSON.stringify(world.server.requests.at(-1));
  expect(extraction).toContain("I like tea.");
  expect(extraction).toContain("Something else.");
  expect(extraction).not.toContain("diagnosed");
});

test('configurable.memory "off" holds in LCEL too', async () => {
  const world = await worldWithMemory();
  const memory = world.memoryOf({ returnMessages: true });
  const prompt = ChatPromptTemplate.fromMessages([
    ["placeholder", "{history}"],
    ["human", "{input}"],
  ]);
  const chain = RunnableLambda.from(async (input: string) => {
    const { history } = await memory.loadMemoryVariables({ input });
    const output = await prompt.pipe(world.model).invoke({ input, history });
    await memory.saveContext({ input }, { output });
    return output;
  });
  await chain.invoke(health, { configurable: { memory: "off" } });
  await chain.invoke("I like tea.");
  expect(world.promptOf(0)).not.toContain("zsh");
  expect(world.promptOf(1)).toContain("zsh");
  expect(await world.workspace.waiting.count()).toMatchObject({ messages: 2 });
});

test("while memory is switched off nothing is recorded, nor later what was said then", async () => {
  const world = await worldWithMemory();
  const chain = world.chainOf(world.memoryOf({ sessionId: "s" }));
  await world.workspace.settings.update({ aiMemoryEnabled: false });
  await chain.invoke({ input: health });
  expect(world.promptOf(0)).not.toContain("zsh");
  await world.workspace.settings.update({ aiMemoryEnabled: true });
  await chain.invoke({ input: "I like tea." });
  await world.workspace.extractNow();
  expect(JSON.stringify(world.server.requests.at(-1))).toContain("I like tea.");
  expect(JSON.stringify(world.server.requests.at(-1))).not.toContain("diagnosed");
  expect(await world.read("chats/s.jsonl")).not.toContain("diagnosed");
});

test("private messages stay at their place in the conversation, also with a history of the app's, which never gets them", async () => {
  const world = await worldWithMemory();
  for (const chatHistory of [undefined, new InMemoryChatMessageHistory()]) {
    const memory = world.memoryOf(chatHistory === undefined ? {} : { chatHistory });
    const say = (words: string, off: boolean) =>
      RunnableLambda.from(() => memory.saveContext({ input: words }, { output: `re ${words}` })).invoke("", {
        configurable: { memory: off ? "off" : "on" },
      });
    await say("1", false);
    await say("2", true);
    await say("3", true);
    await say("4", false);
    const { history } = await memory.loadMemoryVariables({});
    expect(history.split("\n\n").at(-1)).toBe(
      "Human: 1\nAI: re 1\nHuman: 2\nAI: re 2\nHuman: 3\nAI: re 3\nHuman: 4\nAI: re 4",
    );
    const kept = (await chatHistory?.getMessages())?.map(({ content }) => content);
    expect(kept ?? ["1", "re 1", "4", "re 4"]).toEqual(["1", "re 1", "4", "re 4"]);
  }
});
