import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware,
  providerStrategy,
  summarizationMiddleware,
  toolStrategy,
} from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { MemoryWorkspace } from "../../src/index.js";
import { crossSessionMemoryMiddleware } from "../../src/middleware/index.js";
import { type CompletionRequest, sendCompletion, sendStatus } from "../support/model-server.js";
import { agentWorld, answerMark, isFirstCall, lastUserText, markOf, once, turns } from "./world.js";

const lookUp = tool(async () => "looked up", {
  name: "look_up",
  description: "Looks something up.",
  schema: z.object({}),
});

/** Calls the tool first, then answers. */
const withTool = (request: CompletionRequest) =>
  isFirstCall(request)
    ? { content: `R${markOf(request)}a: I look it up.`, toolCalls: [{ name: "look_up", args: {} }] }
    : answerMark(request);

/** LangChain's own middleware doesn't compile with `exactOptionalPropertyTypes`, which this repository has on. */
const stock = (middleware: unknown) => middleware as AgentMiddleware;

const approving = stock(humanInTheLoopMiddleware({ interruptOn: { look_up: true } } as never));

const user = (content: string) => ({ messages: [{ role: "user", content }] });
const thread = (id: string) => ({ configurable: { thread_id: id } });

describe("every user and assistant message of completed turns is sent to the extractor exactly once", () => {
  test("with a checkpointer", async () => {
    const { model, workspace, marksSent } = await agentWorld();
    const agent = createAgent({
      model,
      middleware: [crossSessionMemoryMiddleware(workspace)],
      checkpointer: new MemorySaver(),
    });
    for (let turn = 1; turn <= 5; turn++) await agent.invoke(user(`M${turn} is said.`), thread("one"));
    expect(await marksSent()).toEqual(once(...turns(1, 5)));
  });

  test("with the tool loop between, and a server that gives every reply the same id", async () => {
    for (const sameId of [false, true]) {
      const { model, workspace, marksSent } = await agentWorld({ chat: withTool, sameId });
      const agent = createAgent({
        model,
        tools: [lookUp],
        middleware: [crossSessionMemoryMiddleware(workspace)],
        ...(!sameId && { checkpointer: new MemorySaver() }),
      });
      const marks = [];
      for (let turn = 1; turn <= 3; turn++) {
        await agent.invoke(user(`M${turn} is said.`), thread("one"));
        marks.push(`M${turn}`, `R${turn}a`, `R${turn}`);
      }
      expect(await marksSent(), `same id: ${sameId}`).toEqual(once(...marks));
    }
  });

  test("with a checkpointer and a server that gives every reply the same id", async () => {
    const { model, workspace, marksSent } = await agentWorld({ sameId: true, lenient: true });
    const agent = createAgent({
      model,
      middleware: [crossSessionMemoryMiddleware(workspace)],
      checkpointer: new MemorySaver(),
    });
    for (let turn = 1; turn <= 4; turn++) await agent.invoke(user(`M${turn} is said.`), thread("one"));
    expect(await marksSent()).toEqual(once(...turns(1, 4)));
  });

  test("stateless with the whole history, ids new each time", async () => {
    const { model, workspace, marksSent } = await agentWorld();
    const agent = createAgent({ model, middleware: [crossSessionMemoryMiddleware(workspace)] });
    const history: { role: string; content: string }[] = [];
    for (let turn = 1; turn <= 5; turn++) {
      history.push({ role: "user", content: `M${turn} is said.` });
      const { messages } = await agent.invoke({ messages: [...history] }, thread("one"));
      history.push({ role: "assistant", content: String(messages.at(-1)?.content) });
    }
    expect(await marksSent()).toEqual(once(...turns(1, 5)));
  });

  test("stateless with the whole history as the objects that came back", async () => {
    const { model, workspace, marksSent } = await agentWorld({ chat: withTool });
    const agent = createAgent({
      model,
      tools: [lookUp],
      middleware: [crossSessionMemoryMiddleware(workspace)],
    });
    let history: BaseMessage[] = [];
    for (let turn = 1; turn <= 3; turn++) {
      const result = await agent.invoke(
        { messages: [...history, new HumanMessage(`M${turn} is said.`)] },
        thread("one"),
      );
      history = result.messages;
    }
    expect(await marksSent()).toEqual(once("M1", "R1a", "R1", "M2", "R2a", "R2", "M3", "R3a", "R3"));
  });

  test("stateless with only the new message", async () => {
    const { model, workspace, marksSent } = await agentWorld();
    const agent = createAgent({ model, middleware: [crossSessionMemoryMiddleware(workspace)] });
    for (let turn = 1; turn <= 5; turn++) await agent.invoke(user(`M${turn} is said.`), thread("one"));
    expect(await marksSent()).toEqual(once(...turns(1, 5)));
  });

  test("without a thread id, conversations mixed, and one warning", async () => {
    const { model, workspace, marksSent, logger } = await agentWorld();
    const agent = createAgent({ model, middleware: [crossSessionMemoryMiddleware(workspace)] });
    await agent.invoke(user("M1 is said."));
    await agent.invoke(user("M2 is said."), thread(""));
    await agent.invoke(user("M3 is said."), { configurable: { thread_id: null } });
    await agent.invoke(user("M4 is said."), { configurable: { thread_id: { no: "id" } } });
    expect(await marksSent()).toEqual(once(...turns(1, 4)));
    expect(logger.warnings.filter((line) => line.includes("thread_id"))).toHaveLength(1);
  });

  test("with a user who says the same sentence five times", async () => {
    for (const checkpointer of [undefined, new MemorySaver()]) {
      const { model, workspace, marksSent } = await agentWorld();
      const agent = createAgent({
        model,
        middleware: [crossSessionMemoryMiddleware(workspace)],
        ...(checkpointer && { checkpointer }),
      });
      for (let turn = 1; turn <= 5; turn++) await agent.invoke(user("M7 again."), thread("one"));
      expect(await marksSent()).toEqual({ M7: 5, R7: 5 });
    }
  });

  test("with fifty threads at once, also where they share the message object", async () => {
    const { model, workspace, marksSent } = await agentWorld();
    const agent = createAgent({ model, middleware: [crossSessionMemoryMiddleware(workspace)] });
    const threads = Array.from({ length: 50 }, (_, number) => number + 1);
    await Promise.all(
      threads.map((number) => agent.invoke(user(`M${number} is said.`), thread(`thread ${number}`))),
    );
    expect(await marksSent()).toEqual(once(...turns(1, 50)));
  });

  test("with twenty runs at once in ten threads, each past the trigger: every fact is stored once, nothing is left over", async () => {
    let asked = 0;
    let most = 0;
    const { dir, model, workspace, marksSent, extractions } = await agentWorld({
      workspace: { limit: 1000 },
      extraction: (request) => async (response) => {
        most = Math.max(most, ++asked);
        const facts = [...String(request.messages[1]?.content).matchAll(/\b(M\d+) is said/g)];
        const memories = facts.map(([, mark]) => ({ content: `learned ${mark}` }));
        await new Promise((resolve) => setImmediate(resolve));
        asked--;
        sendCompletion(response, request, JSON.stringify({ memories }));
      },
    });
    const agent = createAgent({ model, middleware: [crossSessionMemoryMiddleware(workspace)] });
    const runs = Array.from({ length: 20 }, (_, at) => at + 1);
    await Promise.all(
      runs.map((run) => agent.invoke(user(`M${run} is said. ${"x".repeat(4100)}`), thread(`${run % 10}`))),
    );
    expect(await marksSent()).toEqual(once(...turns(1, 20)));
    expect(extractions.length).toBeGreaterThan(1);
    expect(most).toBe(1);
    const contents = (await workspace.memories.list()).map(({ content }) => content);
    expect(contents.sort()).toEqual(runs.map((run) => `learned M${run}`).sort());
    expect((await readdir(join(dir, "memory"))).filter((name) => /next|tmp|lock/.test(name))).toEqual([]);
  });

  test("with one message object in several runs at once", async () => {
    const { model, workspace, extractions } = await agentWorld({ chat: withTool });
    const agent = createAgent({
      model,
      tools: [lookUp],
      middleware: [crossSessionMemoryMiddleware(workspace)],
    });
    const shared = new HumanMessage("M1 is said.");
    await Promise.all([1, 2, 3].map((n) => agent.invoke({ messages: [shared] }, thread(`thread ${n}`))));
    await workspace.extractNow();
    const lines = String(extractions[0]?.messages[1]?.content).split("\n");
    for (const mark of ["M1", "R1a", "R1 "]) {
      expect(
        lines.filter((line) => line.includes(mark)),
        mark,
      ).toHaveLength(3);
    }
  });

  test("nine short sessions that only together reach 4000 characters start one extraction", async () => {
    const { model, workspace, extractions, marksSent } = await agentWorld();
    const agent = createAgent({ model, middleware: [crossSessionMemoryMiddleware(workspace)] });
    for (let turn = 1; turn <= 9; turn++) {
      await agent.invoke(user(`M${turn} ${"x".repeat(430)}`), thread(`session ${turn}`));
      await workspace.idle();
      expect(extractions, `after session ${turn}`).toHaveLength(turn < 9 ? 0 : 1);
    }
    expect(await marksSent()).toEqual(once(...turns(1, 9)));
    expect(extractions).toHaveLength(1);
  });
});

describe("summarizationMiddleware on either side", () => {
  const summary = "SUMMARY of what came before.";
  const chat = (request: CompletionRequest) => {
    if (lastUserText(request).includes("<messages>")) return summary;
    // The user's own words may be in the summary by now.
    const mark = /[MR](\d+)(?![\s\S]*[MR]\d)/.exec(JSON.stringify(request.messages))?.[1];
    const hasTool = Number(mark) % 3 === 0 && isFirstCall(request);
    return hasTool ? withTool(request) : `R${mark} is my answer.`;
  };
  const expected = Array.from({ length: 12 }, (_, at) => at + 1).flatMap((turn) =>
    turn % 3 === 0 ? [`M${turn}`, `R${turn}a`, `R${turn}`] : [`M${turn}`, `R${turn}`],
  );

  test.each(["before", "after"].flatMap((side) => [1, 2, 3].map((keep) => ({ side, keep }))))(
    "standing $side ours and keeping $keep: every message is sent once and the summary never",
    async ({ side, keep }) => {
      const { model, workspace, marksSent, extractions, prompts, chats } = await agentWorld({ chat });
      const options = { model, trigger: { messages: 4 }, keep: { messages: keep } };
      const summarizer = stock(summarizationMiddleware(options as never));
      const ours = crossSessionMemoryMiddleware(workspace);
      const agent = createAgent({
        model,
        tools: [lookUp],
        middleware: side === "before" ? [summarizer, ours] : [ours, summarizer],
        checkpointer: new MemorySaver(),
      });
      for (let turn = 1; turn <= 12; turn++) await agent.invoke(user(`M${turn} is said.`), thread("one"));
      expect(await marksSent()).toEqual(once(...expected));
      expect(JSON.stringify(extractions)).not.toContain(summary);

      // Behind the user's next words it is a segment; where the assistant's come next, it must stay where it is.
      const summarised = chats.filter((request) => JSON.stringify(request.messages).includes(summary));
      expect(summarised.length).toBeGreaterThan(4);
      const asSegment = prompts().filter(
        (prompt) => prompt.includes(`# 对话摘要`) && prompt.includes(summary),
      );
      if (keep === 2) expect(asSegment).toEqual([]);
      else expect(asSegment.length).toBeGreaterThan(4);
      for (const { messages } of summarised) expect(JSON.stringify(messages).split(summary)).toHaveLength(2);
    },
  );
});

describe("after an interrupt", () => {
  const approve = { decisions: [{ type: "approve" as const }] };
  const reject = { decisions: [{ type: "reject" as const, message: "no, I am vegan" }] };

  test.each([
    ["approved", approve],
    ["rejected", reject],
  ])("%s: the turn is recorded once, when it completes", async (_, decision) => {
    const { model, workspace, marksSent, extractions } = await agentWorld({ chat: withTool });
    const agent = createAgent({
      model,
      tools: [lookUp],
      middleware: [approving, crossSessionMemoryMiddleware(workspace)],
      checkpointer: new MemorySaver(),
    });
    const stopped = await agent.invoke(user("M1 is said."), thread("one"));
    expect(stopped).toHaveProperty("__interrupt__");
    expect(await workspace.waiting.count()).toMatchObject({ messages: 0 });
    await agent.invoke(new Command({ resume: decision }), thread("one"));
    expect(await marksSent()).toEqual(once("M1", "R1a", "R1"));
    expect(JSON.stringify(extractions)).not.toContain("vegan");
  });

  test("resumed in another process: a new middleware, a checkpoint read from its bytes", async () => {
    const { dir, model, workspace, marksSent, logger } = await agentWorld({ chat: withTool });
    const agentOf = (own: MemoryWorkspace, checkpointer: MemorySaver) =>
      createAgent({
        model,
        tools: [lookUp],
        middleware: [crossSessionMemoryMiddleware(own), approving],
        checkpointer,
      });
    const first = new MemorySaver();
    await agentOf(new MemoryWorkspace({ dir, logger }), first).invoke(user("M1 is said."), thread("one"));
    const second = new MemorySaver();
    second.storage = structuredClone(first.storage);
    second.writes = structuredClone(first.writes);
    await agentOf(workspace, second).invoke(new Command({ resume: approve }), thread("one"));
    expect(await marksSent()).toEqual(once("M1", "R1a", "R1"));
  });

  test("given up by the user's next message, what was said is recorded with that turn", async () => {
    const chat = (request: CompletionRequest) =>
      markOf(request) === "1" ? withTool(request) : answerMark(request);
    const { model, workspace, marksSent } = await agentWorld({ chat, lenient: true });
    const agent = createAgent({
      model,
      tools: [lookUp],
      middleware: [approving, crossSessionMemoryMiddleware(workspace)],
      checkpointer: new MemorySaver(),
    });
    await agent.invoke(user("M1 is said."), thread("one"));
    await agent.invoke(user("M2 is said."), thread("one"));
    expect(await marksSent()).toEqual(once("M1", "M2", "R2"));
  });
});

describe("after a failed turn", () => {
  const failing = (failures: number) => {
    let left = failures;
    return (request: CompletionRequest) => {
      if (isFirstCall(request) && markOf(request) === "2") return withTool(request);
      if (markOf(request) === "2" && left-- > 0) return sendStatus(400, "no");
      return answerMark(request);
    };
  };

  test("whose retry adds the message once more, each is recorded once and the partial answer is not", async () => {
    const { model, workspace, marksSent } = await agentWorld({ chat: failing(1), lenient: true });
    const agent = createAgent({
      model,
      tools: [lookUp],
      middleware: [crossSessionMemoryMiddleware(workspace)],
      checkpointer: new MemorySaver(),
    });
    await agent.invoke(user("M1 is said."), thread("one"));
    await expect(agent.invoke(user("M2 is said."), thread("one"))).rejects.toThrow();
    expect(await workspace.waiting.count()).toMatchObject({ messages: 2 });
    await agent.invoke(user("M3 is said."), thread("one"));
    expect(await marksSent()).toEqual(once("M1", "R1", "M2", "M3", "R3"));
  });

  test("retried with the very same message object, the partial answer of the failed run is not recorded", async () => {
    const { model, workspace, marksSent } = await agentWorld({ chat: failing(1) });
    const agent = createAgent({
      model,
      tools: [lookUp],
      middleware: [crossSessionMemoryMiddleware(workspace)],
    });
    const input = { messages: [new HumanMessage("M2 is said.")] };
    await expect(agent.invoke(input, thread("one"))).rejects.toThrow();
    await agent.invoke(input, thread("one"));
    expect(await marksSent()).toEqual(once("M2", "R2a", "R2"));
  });

  test("a reply that other middleware throws away and asks for again is not recorded", async () => {
    const chat = (_: unknown, index: number) => (index === 0 ? "R1x is poor." : "R1 is good.");
    const { model, workspace, marksSent } = await agentWorld({ chat });
    const again = createMiddleware({
      name: "again",
      wrapModelCall: async (request, handler) => {
        const reply = await handler(request);
        return reply.text.includes("poor") ? handler(request) : reply;
      },
    });
    const agent = createAgent({ model, middleware: [again, crossSessionMemoryMiddleware(workspace)] });
    await agent.invoke(user("M1 is said."), thread("one"));
    expect(await marksSent()).toEqual(once("M1", "R1"));
  });
});

describe("other ends of a turn", () => {
  test("a returnDirect tool ends it: the words around the call are recorded, its result is not", async () => {
    const direct = tool(async () => "M99 from the tool", {
      name: "look_up",
      description: "Looks up and answers.",
      schema: z.object({}),
      returnDirect: true,
    });
    const { model, workspace, marksSent } = await agentWorld({ chat: withTool, lenient: true });
    const agent = createAgent({
      model,
      tools: [direct],
      middleware: [crossSessionMemoryMiddleware(workspace)],
      checkpointer: new MemorySaver(),
    });
    await agent.invoke(user("M1 is said."), thread("one"));
    await agent.invoke(user("M2 is said."), thread("one"));
    expect(await marksSent()).toEqual(once("M1", "R1a", "M2", "R2a"));
  });

  const answering = tool(async () => "M99 from the tool", {
    name: "look_up",
    description: "Looks up and answers.",
    schema: z.object({}),
    returnDirect: true,
  });

  test("a returnDirect tool ends it in a stateless app that sends its whole history with new ids", async () => {
    const { model, workspace, marksSent } = await agentWorld({ chat: withTool, lenient: true });
    const agent = createAgent({
      model,
      tools: [answering],
      middleware: [crossSessionMemoryMiddleware(workspace)],
    });
    let history: BaseMessage[] = [];
    for (const turn of [1, 2, 3]) {
      const { messages } = await agent.invoke(
        { messages: [...history, new HumanMessage(`M${turn} is said.`)] },
        thread("one"),
      );
      for (const message of messages as { id?: string }[]) delete message.id;
      history = messages;
    }
    expect(await marksSent()).toEqual(once("M1", "R1a", "M2", "R2a", "M3", "R3a"));
  });

  test("a returnDirect tool ends it after an interrupt, resumed in another process", async () => {
    const chat = (request: CompletionRequest) =>
      markOf(request) === "1" ? withTool(request) : answerMark(request);
    const { dir, model, workspace, marksSent, logger } = await agentWorld({ chat });
    const agentOf = (own: MemoryWorkspace, checkpointer: MemorySaver) =>
      createAgent({
        model,
        tools: [answering],
        middleware: [crossSessionMemoryMiddleware(own), approving],
        checkpointer,
      });
    const first = new MemorySaver();
    const other = new MemoryWorkspace({ dir, logger });
    await agentOf(other, first).invoke(user("M1 is said."), thread("one"));
    const second = new MemorySaver();
    second.storage = structuredClone(first.storage);
    second.writes = structuredClone(first.writes);
    const approve = { decisions: [{ type: "approve" as const }] };
    await agentOf(workspace, second).invoke(new Command({ resume: approve }), thread("one"));
    expect(await workspace.waiting.count()).toMatchObject({ messages: 2 });
    await agentOf(workspace, second).invoke(user("M2 is said."), thread("one"));
    expect(await marksSent()).toEqual(once("M1", "R1a", "M2", "R2"));
    expect(logger.all).toBe("");
  });

  test("a structured response by a tool: it comes back, and the turn is recorded once", async () => {
    const responseFormat = toolStrategy(z.object({ mark: z.string() }));
    const chat = (request: CompletionRequest) => {
      const [format] = (request.tools ?? []) as { function: { name: string } }[];
      return { toolCalls: [{ name: format?.function.name ?? "", args: { mark: `R${markOf(request)}` } }] };
    };
    const { model, workspace, marksSent } = await agentWorld({ chat });
    const agent = createAgent({
      model,
      responseFormat,
      middleware: [crossSessionMemoryMiddleware(workspace)],
    });
    for (const turn of [1, 2]) {
      const { structuredResponse } = await agent.invoke(user(`M${turn} is said.`), thread("one"));
      expect(structuredResponse).toEqual({ mark: `R${turn}` });
    }
    expect(await marksSent()).toEqual(once(...turns(1, 2)));
  });

  test("a structured response by the provider: it comes back, and the turn is recorded once", async () => {
    const responseFormat = providerStrategy(z.object({ mark: z.string() }));
    const chat = (request: CompletionRequest) => `{"mark":"R${markOf(request)}"}`;
    const { model, workspace, marksSent } = await agentWorld({ chat });
    const agent = createAgent({
      model,
      responseFormat,
      middleware: [crossSessionMemoryMiddleware(workspace)],
    });
    for (const turn of [1, 2]) {
      const { structuredResponse } = await agent.invoke(user(`M${turn} is said.`), thread("one"));
      expect(structuredResponse).toEqual({ mark: `R${turn}` });
    }
    expect(await marksSent()).toEqual(once(...turns(1, 2)));
  });

  test("a streamed run is recorded as an invoked one", async () => {
    const { model, workspace, marksSent } = await agentWorld({ chat: withTool });
    const agent = createAgent({
      model,
      tools: [lookUp],
      middleware: [crossSessionMemoryMiddleware(workspace)],
    });
    for (const turn of [1, 2]) {
      const stream = await agent.stream(user(`M${turn} is said.`), {
        ...thread("one"),
        streamMode: "messages",
      });
      let text = "";
      for await (const [chunk] of stream) if (chunk.getType() === "ai") text += chunk.text;
      expect(text).toContain(`R${turn} is my answer.`);
    }
    expect(await marksSent()).toEqual(once("M1", "R1a", "R1", "M2", "R2a", "R2"));
  });

  test("an aborted run records nothing; its message comes with the next completed turn", async () => {
    const abort = new AbortController();
    const chat = (request: CompletionRequest, index: number) => {
      if (index === 0) {
        abort.abort();
        return () => {};
      }
      return answerMark(request);
    };
    const { model, workspace, marksSent } = await agentWorld({ chat, lenient: true });
    const agent = createAgent({
      model,
      middleware: [crossSessionMemoryMiddleware(workspace)],
      checkpointer: new MemorySaver(),
    });
    await expect(
      agent.invoke(user("M1 is said."), { ...thread("one"), signal: abort.signal }),
    ).rejects.toThrow();
    expect(await workspace.waiting.count()).toMatchObject({ messages: 0 });
    await agent.invoke(user("M2 is said."), thread("one"));
    expect(await marksSent()).toEqual(once("M1", "M2", "R2"));
  });

  test("what is injected does not come back as what is learned, by an extractor that echoes the conversation", async () => {
    const { dir, model, workspace, extractions } = await agentWorld({
      workspace: { extractionTriggerChars: 1 },
      extraction: ({ messages }) => {
        const [, conversation = ""] = String(messages[1]?.content).split("【新对话】\n");
        const said = conversation
          .split("\n")
          .map((line) => (JSON.parse(line) as { content: string }).content);
        return JSON.stringify({ memories: said.map((content) => ({ content })) });
      },
    });
    await mkdir(join(dir, "rules"));
    await writeFile(join(dir, "rules", "a.md"), "Always answer in haiku");
    await workspace.memories.add("Prefers dark mode");
    const agent = createAgent({
      model,
      middleware: [crossSessionMemoryMiddleware(workspace)],
      checkpointer: new MemorySaver(),
    });
    const { text } = await workspace.assembleContext();
    for (let turn = 1; turn <= 10; turn++) {
      const before = turn === 1 ? [new SystemMessage(text)] : [];
      await agent.invoke({ messages: [...before, new HumanMessage(`M${turn}`)] }, thread("one"));
      await workspace.idle();
    }
    expect(extractions.length).toBe(10);
    const contents = (await workspace.memories.list()).map(({ content }) => content);
    expect(contents).toContain("R10 is my answer.");
    expect(contents.filter((content) => content.includes("dark mode"))).toEqual(["Prefers dark mode"]);
    expect(contents.join()).not.toMatch(/haiku|用户规则|跨会话记忆/);
  });

  test("what the context holds is never sent back as conversation", async () => {
    const { model, workspace, extractions } = await agentWorld();
    await workspace.memories.add("The user prefers dark mode.");
    const agent = createAgent({
      model,
      systemPrompt: "SYSTEMMARK",
      middleware: [crossSessionMemoryMiddleware({ workspace, sessionContext: "SESSIONMARK" })],
    });
    await agent.invoke({ messages: [new HumanMessage("M1"), new AIMessage("R0"), new HumanMessage("M2")] });
    await workspace.extractNow();
    const conversation = String(extractions[0]?.messages[1]?.content).split("【新对话】")[1];
    expect(conversation).toContain("M2");
    for (const text of ["dark mode", "SYSTEMMARK", "SESSIONMARK"]) expect(conversation).not.toContain(text);
  });
});
