import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { crossSessionMemoryMiddleware } from "../../src/middleware/index.js";
import type { CompletionRequest } from "../support/model-server.js";
import { agentWorld, answerMark, isFirstCall, lastUserText, marksIn, once, turns } from "./world.js";

const user = (content: string) => ({ messages: [{ role: "user", content }] });
const thread = (id: string) => ({ configurable: { thread_id: id } });

describe("an agent as a tool of another", () => {
  const chat = (request: CompletionRequest) => {
    if (lastUserText(request).startsWith("SUBTASK")) return "SUBANSWER";
    if (!isFirstCall(request)) return answerMark(request);
    return {
      content: "R1a: I delegate.",
      toolCalls: [
        { name: "delegate", args: { task: "SUBTASK one" } },
        { name: "delegate", args: { task: "SUBTASK two" } },
      ],
    };
  };

  test.each([
    ["with the parent's config handed on", true],
    ["without", false],
  ])("is injected and not recorded, two in parallel, %s", async (_, handsOn) => {
    const { model, workspace, marksSent, chats, extractions } = await agentWorld({ chat });
    await workspace.memories.add("MEMORY");
    const ours = crossSessionMemoryMiddleware(workspace);
    const sub = createAgent({ model, middleware: [ours] });
    const delegate = tool(
      async ({ task }: { task: string }, config) => {
        const { messages } = await sub.invoke(user(task), handsOn ? config : undefined);
        return String(messages.at(-1)?.content);
      },
      { name: "delegate", description: "Delegates.", schema: z.object({ task: z.string() }) },
    );
    const agent = createAgent({
      model,
      tools: [delegate],
      middleware: [ours],
      checkpointer: new MemorySaver(),
    });
    await agent.invoke(user("M1 is said."), thread("one"));
    expect(chats).toHaveLength(4);
    for (const request of chats) {
      expect(String(request.messages[0]?.content).split("- MEMORY")).toHaveLength(2);
    }
    expect(await marksSent()).toEqual(once("M1", "R1a", "R1"));
    expect(JSON.stringify(extractions)).not.toMatch(/SUBTASK|SUBANSWER/);
  });

  test("that is handed the parent's own message objects mixes nothing up", async () => {
    const again = (request: CompletionRequest) => (systemIs(request, "SUB") ? "SUBANSWER" : chat(request));
    const { model, workspace, marksSent, extractions } = await agentWorld({ chat: again, lenient: true });
    const ours = crossSessionMemoryMiddleware(workspace);
    const sub = createAgent({ model, systemPrompt: "SUB", middleware: [ours] });
    const input = new HumanMessage("M1 is said.");
    const delegate = tool(
      async (_: object, config) => (await sub.invoke({ messages: [input] }, config)).messages.at(-1)?.text,
      {
        name: "delegate",
        description: "Delegates.",
        schema: z.object({ task: z.string() }),
      },
    );
    const agent = createAgent({ model, tools: [delegate], middleware: [ours] });
    await agent.invoke({ messages: [input] }, thread("one"));
    expect(await marksSent()).toEqual(once("M1", "R1a", "R1"));
    expect(JSON.stringify(extractions)).not.toContain("SUBANSWER");
  });
});

describe("several of them", () => {
  test("two in one agent: createAgent says clearly which name is there twice, and `name` tells them apart", async () => {
    const { model, workspace, prompts } = await agentWorld();
    await workspace.memories.add("MEMORY");
    const twice = [crossSessionMemoryMiddleware(workspace), crossSessionMemoryMiddleware(workspace)];
    expect(() => createAgent({ model, middleware: twice })).toThrow(
      /CrossSessionMemoryMiddleware is defined multiple times/,
    );
    const named = [
      crossSessionMemoryMiddleware({
        workspace: workspace.forUser("team"),
        name: "team",
        sessionContext: "TEAM",
      }),
      crossSessionMemoryMiddleware({ workspace, name: "own", sessionContext: "OWN" }),
    ];
    await createAgent({ model, middleware: named }).invoke(user("M1"), thread("one"));
    expect(prompts()[0]).toContain("MEMORY");
    expect(prompts()[0]).toMatch(/TEAM[\s\S]*OWN/);
    expect(await workspace.waiting.count()).toMatchObject({ messages: 2 });
    expect(await workspace.forUser("team").waiting.count()).toMatchObject({ messages: 2 });
  });

  test("one in two agents at once: sessions apart, nothing twice", async () => {
    const { model, workspace, marksSent } = await agentWorld();
    const ours = crossSessionMemoryMiddleware(workspace);
    const agents = [1, 2].map(() =>
      createAgent({ model, middleware: [ours], checkpointer: new MemorySaver() }),
    );
    for (const turn of [1, 3]) {
      await Promise.all(
        agents.map((agent, at) => agent.invoke(user(`M${turn + at} is said.`), thread(`agent ${at}`))),
      );
    }
    const { sessions } = await workspace.waiting.count();
    expect(sessions).toBe(2);
    expect(await marksSent()).toEqual(once(...turns(1, 4)));
  });

  test("without any option it works: in ./ai, with the agent's own model", () => {
    expect(crossSessionMemoryMiddleware().name).toBe("CrossSessionMemoryMiddleware");
  });

  test("a wrong option throws when it is made, and names itself", () => {
    const make = (options: object) => () => crossSessionMemoryMiddleware(options);
    expect(make({ userID: () => "x" })).toThrow(/unknown option "userID"/);
    expect(make({ userId: "anna" })).toThrow(/userId must be/);
    expect(make({ name: "" })).toThrow(/name must be/);
    expect(make({ planContext: 3 })).toThrow(/planContext must be/);
    expect(make({ workspace: {} })).toThrow(/workspace must be/);
  });
});

describe("users", () => {
  test("a userId in a second argument, as the tools have it, throws: all users would share one memory", async () => {
    const { workspace } = await agentWorld();
    const make = crossSessionMemoryMiddleware as (...all: unknown[]) => unknown;
    expect(() => make(workspace, { userId: () => "ada" })).toThrow(
      expect.objectContaining({
        code: "ERR_OPTION_TYPE",
        message: "options must be one object, such as { workspace, userId }, got an object",
      }),
    );
    expect(make(workspace)).toBeDefined();
  });

  const contextSchema = z.object({ userId: z.string().optional() });

  test("are told apart by the run's context, in every hook", async () => {
    const { model, workspace, prompts, extractions } = await agentWorld();
    await workspace.forUser("anna").memories.add("ANNA");
    await workspace.forUser("ben").memories.add("BEN");
    const agent = createAgent({
      model,
      contextSchema,
      middleware: [crossSessionMemoryMiddleware({ workspace, userId: ({ context }) => context.userId })],
      checkpointer: new MemorySaver(),
    });
    const long = "x".repeat(2500);
    await Promise.all([
      agent.invoke(user(`M1 ${long}`), { ...thread("one"), context: { userId: "anna" } }),
      agent.invoke(user(`M2 ${long}`), { ...thread("two"), context: { userId: "ben" } }),
    ]);
    await workspace.idle();
    expect(extractions).toHaveLength(0);
    for (const [userId, mark, other, fact] of [
      ["anna", "M1", "M2", "ANNA"],
      ["ben", "M2", "M1", "BEN"],
    ] as const) {
      const before = extractions.length;
      expect((await workspace.forUser(userId).extractNow()).failure).toBeUndefined();
      const sent = marksIn(extractions.slice(before));
      expect(sent).toHaveProperty(mark, 1);
      expect(sent).not.toHaveProperty(other);
      expect(prompts().filter((prompt) => prompt.includes(fact))).toHaveLength(1);
    }
    expect(await workspace.waiting.count()).toMatchObject({ messages: 0 });
  });

  test("a run without a user goes on without memory, is not recorded, and is warned of once", async () => {
    const { model, workspace, prompts, logger } = await agentWorld();
    await workspace.memories.add("MEMORY");
    const agent = createAgent({
      model,
      contextSchema,
      middleware: [crossSessionMemoryMiddleware({ workspace, userId: ({ context }) => context.userId })],
    });
    for (const context of [{}, { userId: "" }, { userId: "anna" }, {}]) {
      await agent.invoke(user("M1"), { ...thread("one"), context });
    }
    expect(prompts().join()).not.toContain("MEMORY");
    expect(await workspace.waiting.count()).toMatchObject({ messages: 0 });
    expect(await workspace.forUser("anna").waiting.count()).toMatchObject({ messages: 2 });
    expect(logger.warnings).toHaveLength(1);
  });

  test("can come from `configurable` too", async () => {
    const { model, workspace } = await agentWorld();
    const agent = createAgent({
      model,
      middleware: [
        crossSessionMemoryMiddleware({ workspace, userId: ({ configurable }) => configurable.user }),
      ],
    });
    await agent.invoke(user("M1"), { configurable: { thread_id: "one", user: "anna" } });
    expect(await workspace.forUser("anna").waiting.count()).toMatchObject({ messages: 2 });
  });
});

test("a temporary run gets rules and no memories, and is not recorded, nor later; a run beside it is not affected", async () => {
  const { model, workspace, prompts, chats, marksSent } = await agentWorld();
  await workspace.memories.add("MEMORY");
  const agent = createAgent({
    model,
    middleware: [crossSessionMemoryMiddleware({ workspace, sessionContext: "SESSION" })],
    checkpointer: new MemorySaver(),
  });
  const off = { configurable: { thread_id: "one", memory: "off" } };
  await Promise.all([
    agent.invoke(user("M1 I was diagnosed with X."), off),
    agent.invoke(user("M2 is said."), thread("two")),
  ]);
  await agent.invoke(user("M3 is said."), thread("one"));
  const prompt = (mark: string) =>
    prompts().filter((_, at) => lastUserText(chats[at] ?? none).includes(mark));
  expect(prompt("M1").join()).toContain("SESSION");
  expect(prompt("M1").join()).not.toContain("MEMORY");
  expect(prompt("M2").join()).toContain("MEMORY");
  expect(await marksSent()).toEqual(once("M2", "R2", "M3", "R3"));
});

const none: CompletionRequest = { messages: [] };

function systemIs({ messages }: CompletionRequest, text: string): boolean {
  return String(messages[0]?.content).startsWith(text);
}
