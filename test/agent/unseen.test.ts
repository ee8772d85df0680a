import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { describe, expect, test } from "vitest";
import { crossSessionMemoryMiddleware } from "../../src/middleware/index.js";
import { type CompletionRequest, sendCompletion } from "../support/model-server.js";
import { type AgentWorld, agentWorld, answerMark } from "./world.js";

const fact = '{"memories":[{"content":"LEAKMARK is a fact."}]}';
const long = { messages: [{ role: "user", content: `M1 ${"x".repeat(4100)}` }] };
const run = { configurable: { thread_id: "one" } };

/** An agent whose first turn starts an extraction, with the agent's own model. */
async function learning(options: Parameters<typeof agentWorld>[0] = {}) {
  const world = await agentWorld({ extraction: () => fact, ...options });
  const agent = createAgent({
    model: world.model,
    middleware: [crossSessionMemoryMiddleware(world.workspace)],
    checkpointer: new MemorySaver(),
  });
  return { ...world, agent };
}

/** The extraction took place, and nothing that was seen of the run shows it. */
async function expectUnseen(world: AgentWorld, seen: readonly unknown[], minimum = 1): Promise<void> {
  await world.workspace.idle();
  expect(world.extractions).toHaveLength(1);
  expect((await world.workspace.memories.list()).map(({ content }) => content)).toEqual([
    "LEAKMARK is a fact.",
  ]);
  expect(seen.length).toBeGreaterThanOrEqual(minimum);
  const text = JSON.stringify(seen);
  expect(text).toContain("is my answer");
  for (const mark of ["LEAKMARK", "memory_extraction", "【新对话】"]) expect(text).not.toContain(mark);
}

async function collect(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const one of stream) seen.push(one);
  return seen;
}

/** The server holds the extraction's reply back until the test lets it go. */
function heldExtraction() {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let begun = () => {};
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const extraction =
    () => async (response: Parameters<typeof sendCompletion>[0], request: CompletionRequest) => {
      begun();
      await held;
      sendCompletion(response, request, fact);
    };
  return { extraction, started, letGo: () => letGo() };
}

describe("nothing of the extraction shows", () => {
  test.each(["values", "updates", "messages", "custom", "debug", "tasks", "checkpoints"] as const)(
    "in stream mode %s",
    async (streamMode) => {
      const { agent, ...world } = await learning();
      const seen = await collect(await agent.stream(long, { ...run, streamMode } as never));
      if (streamMode === "custom" || streamMode === "messages") seen.push("is my answer");
      await expectUnseen(world, seen);
    },
  );

  test("in all stream modes at once, in an outer graph with tags, subgraphs shown", async () => {
    const { agent, ...world } = await learning();
    const outer = new StateGraph(MessagesAnnotation)
      .addNode("agent", agent.graph)
      .addEdge("__start__", "agent")
      .compile()
      .withConfig({ tags: ["outer"] });
    const streamMode = ["messages", "updates", "custom", "values", "debug"] as const;
    const seen = await collect(
      (await outer.stream(long, {
        ...run,
        streamMode: [...streamMode],
        subgraphs: true,
      })) as AsyncIterable<unknown>,
    );
    await expectUnseen(world, seen);
  });

  test.each(["v2", "v3"] as const)(
    "in streamEvents %s, and the extraction is a plain request",
    async (version) => {
      const { agent, ...world } = await learning();
      const events = (await agent.streamEvents(long, { ...run, version } as never)) as AsyncIterable<unknown>;
      const seen = await collect(events);
      if (version === "v3") seen.push("is my answer");
      await expectUnseen(world, seen, 2);
      expect(world.extractions[0]).not.toHaveProperty("stream", true);
    },
  );

  test("with an agent's model that streams by itself, whose extraction is a plain request", async () => {
    const { agent, ...world } = await learning({ model: { streaming: true } });
    const seen = await collect(await agent.stream(long, { ...run, streamMode: "messages" }));
    await expectUnseen(world, [...seen, "is my answer"]);
    expect(world.chats[0]).toHaveProperty("stream", true);
    expect(world.extractions[0]).not.toHaveProperty("stream", true);
  });

  test("in streamEvents v2 of an outer graph, and of its model's events", async () => {
    const { agent, ...world } = await learning();
    const outer = new StateGraph(MessagesAnnotation)
      .addNode("agent", async (state) => agent.invoke({ messages: state.messages }))
      .addEdge("__start__", "agent")
      .compile();
    const events = await collect(outer.streamEvents(long, { ...run, version: "v2", tags: ["outer"] }));
    const starts = events.filter((one) => (one as { event: string }).event === "on_chat_model_start");
    expect(starts).toHaveLength(1);
    await expectUnseen(world, events);
  });

  test("to the callbacks of the run; a callback on the extraction model itself sees it", async () => {
    const ofRun = new Calls();
    const ofModel = new Calls();
    const world = await agentWorld({ extraction: () => fact, model: { callbacks: [ofModel] } });
    const agent = createAgent({
      model: world.model,
      middleware: [crossSessionMemoryMiddleware(world.workspace)],
    });
    await agent.invoke(long, { ...run, callbacks: [ofRun], tags: ["ours"], metadata: { of: "run" } });
    await expectUnseen(world, [ofRun.seen, "is my answer"]);
    expect(ofRun.seen.filter(([event]) => event === "start")).toHaveLength(1);
    const ofExtraction = ofModel.seen.filter(([, text]) => text.includes("LEAKMARK"));
    expect(ofExtraction).toHaveLength(1);
    const starts = ofModel.seen.filter(([event]) => event === "start");
    expect(starts).toHaveLength(2);
    expect(starts[1]?.[1]).not.toContain("ours");
  });
});

describe("the run and the extraction go their own ways", () => {
  test("the turn ends before the extraction does", async () => {
    const { extraction, started, letGo } = heldExtraction();
    const { agent, workspace, extractions } = await learning({ extraction });
    const events: string[] = [];
    const { messages } = await agent.invoke(long, run);
    events.push("turn");
    expect(messages.at(-1)?.text).toBe("R1 is my answer.");
    await started;
    const idle = workspace.idle().then(() => events.push("extraction"));
    letGo();
    await idle;
    expect(events).toEqual(["turn", "extraction"]);
    expect(extractions).toHaveLength(1);
  });

  test("breaking out of the stream behind its last chunk does not stop it", async () => {
    const { extraction, started, letGo } = heldExtraction();
    const { agent, workspace } = await learning({ extraction });
    for await (const chunk of await agent.stream(long, { ...run, streamMode: "updates" })) {
      if (Object.keys(chunk).some((node) => node.includes("after_agent"))) break;
    }
    await started;
    letGo();
    await workspace.idle();
    expect(await workspace.memories.list()).toHaveLength(1);
  });

  test("aborting the run's signal after the result does not stop it", async () => {
    const { extraction, started, letGo } = heldExtraction();
    const { agent, workspace, logger } = await learning({ extraction });
    const abort = new AbortController();
    await agent.invoke(long, { ...run, signal: abort.signal });
    await started;
    abort.abort();
    letGo();
    await workspace.idle();
    expect(await workspace.memories.list()).toHaveLength(1);
    expect(logger.all).toBe("");
  });

  test("a failing extraction disturbs no turn and is warned of once", async () => {
    const { agent, workspace, logger } = await learning({ extraction: () => "no JSON at all" });
    for (let turn = 1; turn <= 3; turn++) {
      const { messages } = await agent.invoke(long, run);
      expect(messages.at(-1)?.text).toBe("R1 is my answer.");
      await workspace.idle();
    }
    expect(logger.warnings).toHaveLength(1);
    expect(logger.all).not.toContain("xxx");
  });

  test("there is no further model call in a turn, and at most one extraction for each 4000 characters", async () => {
    const { agent, workspace, chats, extractions } = await learning({ chat: answerMark });
    for (let turn = 1; turn <= 20; turn++) {
      await agent.invoke({ messages: [{ role: "user", content: `M${turn} ${"x".repeat(990)}` }] }, run);
      await workspace.idle();
    }
    expect(chats).toHaveLength(20);
    expect(extractions).toHaveLength(5);
  });
});

class Calls extends BaseCallbackHandler {
  override name = "calls";
  readonly seen: (readonly [event: string, text: string])[] = [];

  override handleChatModelStart(...args: unknown[]): void {
    this.seen.push(["start", JSON.stringify(args.slice(1))]);
  }

  override handleLLMEnd(output: unknown): void {
    this.seen.push(["end", JSON.stringify(output)]);
  }

  override handleLLMNewToken(token: string): void {
    this.seen.push(["token", token]);
  }
}
