import { HumanMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import {
  CrossSessionMemory,
  MemoryWorkspace,
  type SelectMemories,
  withCrossSessionMemory,
} from "../../src/index.js";
import { crossSessionMemoryMiddleware } from "../../src/middleware/index.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { manyFacts } from "./facts.js";

/** `createAgent` binds tools, also none. */
class AgentModel extends ScriptedModel {
  override bindTools(): this {
    return this;
  }
}

/** A workspace with more memories than fit, that takes down for which words they are chosen. */
async function listening() {
  const queries: string[] = [];
  const selection: SelectMemories = (memories, { query }) => {
    queries.push(query);
    return memories;
  };
  const workspace = new MemoryWorkspace({
    dir: await temporaryFolder(),
    logger: new CollectingLogger(),
    memoryBudget: 512,
    selection,
  });
  await workspace.memories.save(manyFacts());
  return { queries, workspace };
}

describe("every door gives the words that the user says now", () => {
  it("the middleware, of the whole conversation the last", async () => {
    const { queries, workspace } = await listening();
    const agent = createAgent({
      model: new AgentModel("hello"),
      middleware: [crossSessionMemoryMiddleware(workspace)],
    });
    const messages = [
      { role: "user", content: "before" },
      { role: "assistant", content: "answered" },
      { role: "user", content: "first" },
      { role: "user", content: [{ type: "text", text: "second" }] },
    ];
    await agent.invoke({ messages });
    expect(queries).toEqual(["first\nsecond"]);
  });

  it("the wrapper, by its input", async () => {
    const { queries, workspace } = await listening();
    const prompt = ChatPromptTemplate.fromMessages([["human", "{question} {tone}"]]);
    const chain = withCrossSessionMemory(prompt.pipe(new ScriptedModel("hello")), {
      workspace,
      inputKey: "question",
    });
    await chain.invoke({ question: "where?", tone: "kindly" });
    const model = withCrossSessionMemory(new ScriptedModel("hello"), { workspace });
    await model.invoke("what?");
    await model.invoke([new HumanMessage("when?")]);
    expect(queries).toEqual(["where?", "what?", "when?"]);
  });

  it("a chain's memory, by the input under its key", async () => {
    const { queries, workspace } = await listening();
    await new CrossSessionMemory({ workspace }).loadMemoryVariables({ input: "where?" });
    await new CrossSessionMemory({ workspace, inputKey: "question" }).loadMemoryVariables({
      question: "what?",
      tone: "kindly",
    });
    expect(queries).toEqual(["where?", "what?"]);
  });

  it("within a session each door keeps to what is in the prompt", async () => {
    const { workspace: ofFacts } = await listening();
    const workspace = new MemoryWorkspace({
      dir: ofFacts.parts.options.dir,
      logger: new CollectingLogger(),
      memoryBudget: 512,
      selection: "relevant",
    });
    const systems = async (door: (words: string) => Promise<unknown>, model: ScriptedModel) => {
      for (const words of ["Where is the telescope?", "It rained in the garden."]) await door(words);
      return model.requests.slice(-2).map(([system]) => String(system?.content).match(/- .*/g));
    };
    const model = new AgentModel("hello");
    const agent = createAgent({ model, middleware: [crossSessionMemoryMiddleware(workspace)] });
    const configurable = { thread_id: "t-1" };
    const [first, second] = await systems(
      (words) => agent.invoke({ messages: [{ role: "user", content: words }] }, { configurable }),
      model,
    );
    expect(second).toEqual(first);
    expect(first?.filter((line) => line.includes("telescope")).length).toBeGreaterThan(3);
    const wrapped = withCrossSessionMemory(model, { workspace });
    const config = { configurable: { thread_id: "t-2" } };
    const [third, fourth] = await systems((words) => wrapped.invoke(words, config), model);
    expect(fourth).toEqual(third);
    expect(third).toEqual(first);
  });
});
