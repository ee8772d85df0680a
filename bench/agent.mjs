import { createServer } from "node:http";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { MemoryWorkspace } from "langchain-cross-session-memory";
import { crossSessionMemoryMiddleware } from "langchain-cross-session-memory/middleware";
import { pairedMedians, timed } from "./median.mjs";
import { inTemporaryFolder, settleFiles, writeWorld } from "./world.mjs";

/** A turn of an agent, against the same agent without the middleware, on a server that answers at once. */
export const measureAgent = () => measureTurns({ delayMs: 0, limit: 1.4, pairs: 200 });

/** The same on a server that takes 20 ms, which is faster than any model. */
export const measureAgentOnSlowerServer = () => measureTurns({ delayMs: 20, limit: 1.1, pairs: 100 });

const turnsOfThread = 10;
const question =
  "Which package manager does our project use, and since when? Please say it in one sentence, and tell me whether " +
  "the lockfile of the old one may still be in the repository, since somebody of the other team asked me this morning.";
const answer =
  "It uses pnpm, since the lockfile of March; npm and yarn are not to be used in this repository, so the old lockfile can go.";

/**
 * Turn by turn, in threads of ten, both with a checkpointer and a prompt of their own. An extraction goes on beside the
 * turns, as it does in an app.
 */
function measureTurns({ delayMs, limit, pairs }) {
  return inTemporaryFolder(async (dir) => {
    await writeWorld(dir);
    await settleFiles();
    const server = await startServer(delayMs);
    const model = new ChatOpenAI({
      model: "gpt-4o-mini",
      apiKey: "none",
      configuration: { baseURL: server.baseURL },
    });
    const workspace = new MemoryWorkspace({ dir, locale: "en" });
    const agentWith = (middleware) => {
      const systemPrompt = "You are a helpful assistant.";
      const agent = createAgent({
        model,
        tools: [],
        systemPrompt,
        middleware,
        checkpointer: new MemorySaver(),
      });
      let turn = 0;
      return () => {
        const thread_id = `thread ${Math.floor(turn++ / turnsOfThread)}`;
        return agent.invoke(
          { messages: [{ role: "user", content: question }] },
          { configurable: { thread_id } },
        );
      };
    };
    const ours = agentWith([crossSessionMemoryMiddleware({ workspace })]);
    const theirs = agentWith([]);
    try {
      const warmUp = 30;
      const medians = await pairedMedians(timed(ours, 1), timed(theirs, 1), { warmUp, pairs });
      await workspace.idle();
      const { turns, extractions } = await server.counts();
      const characters = (warmUp + pairs) * (question.length + answer.length);
      return [
        {
          name: `createAgent, one turn: 10 rules, 10 skills of 4 KB, 100 memories, server ${delayMs === 0 ? "at once" : `${delayMs} ms`}`,
          against: "the same agent without the middleware",
          limit,
          ...medians,
        },
        {
          name: "its requests in a turn",
          against: "one",
          unit: "requests",
          ours: turns / 2 / (warmUp + pairs),
          theirs: 1,
          limit: 1,
        },
        {
          name: "its extractions",
          against: "one for each 4000 characters said",
          unit: "requests",
          ours: extractions,
          theirs: characters / 4000,
          limit: 1,
        },
      ];
    } finally {
      await workspace.close();
      await server.close();
    }
  });
}

/** In a thread of its own, so that what it does isn't measured. */
async function startServer(delayMs) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { delayMs } });
  const told = () =>
    new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
  const port = await told();
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    counts: () => {
      const counts = told();
      worker.postMessage("counts");
      return counts;
    },
    close: () => worker.terminate(),
  };
}

function serve({ delayMs }) {
  const counts = { turns: 0, extractions: 0 };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const isExtraction = body.includes("[New conversation]");
      counts[isExtraction ? "extractions" : "turns"]++;
      const content = isExtraction ? '{"memories":[]}' : answer;
      const reply = JSON.stringify({
        id: "chatcmpl-bench",
        object: "chat.completion",
        created: 0,
        model: "bench",
        choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      });
      const send = () => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(reply);
      };
      if (delayMs === 0) send();
      else setTimeout(send, delayMs);
    });
  });
  parentPort.on("message", () => parentPort.postMessage(counts));
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
}

if (!isMainThread && workerData?.delayMs !== undefined) serve(workerData);
