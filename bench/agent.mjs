import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { crossSessionMemoryMiddleware } from "langchain-cross-session-memory/middleware";
import { pairedMedians, timed } from "./median.mjs";
import { inTemporaryFolder, writeWorld } from "./world.mjs";

/** A turn of an agent, against the same agent without the middleware, on a server that answers at once. */
export const measureAgent = () => measureTurns({ delayMs: 0, limit: 1.4, pairs: 201 });

/** The same on a server that takes 20 ms, which is faster than any model. */
export const measureAgentOnSlowerServer = () => measureTurns({ delayMs: 20, limit: 1.1, pairs: 61 });

const question = "Which package manager does our project use, and since when? Say it in one sentence.";
const answer =
  "It uses pnpm, since the lockfile of March; npm and yarn are not to be used in this repository.";

/** Turn by turn: an extraction, once in some twenty turns, goes on beside the turns and is in no median of them. */
function measureTurns({ delayMs, limit, pairs }) {
  return inTemporaryFolder(async (dir) => {
    await writeWorld(dir);
    await wait(3100); // As an app's files are: not changed within the last 3 s, in which they are read at each call.
    const server = await startServer(delayMs);
    const model = new ChatOpenAI({
      model: "gpt-4o-mini",
      apiKey: "none",
      configuration: { baseURL: server.baseURL },
    });
    const turnOf = (agent) => () =>
      agent.invoke(
        { messages: [{ role: "user", content: question }] },
        { configurable: { thread_id: "one" } },
      );
    const middleware = crossSessionMemoryMiddleware({ dir });
    const ours = turnOf(createAgent({ model, tools: [], middleware: [middleware] }));
    const theirs = turnOf(createAgent({ model, tools: [] }));
    try {
      return {
        name: `createAgent, one turn: 10 rules, 10 skills of 4 KB, 100 memories, server ${delayMs === 0 ? "at once" : `${delayMs} ms`}`,
        against: "the same agent without the middleware",
        limit,
        ...(await pairedMedians(timed(ours, 1), timed(theirs, 1), { warmUp: 30, pairs })),
      };
    } finally {
      await server.close();
    }
  });
}

/** In a thread of its own, so that what it does isn't measured. */
async function startServer(delayMs) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { delayMs } });
  const port = await new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  return { baseURL: `http://127.0.0.1:${port}/v1`, close: () => worker.terminate() };
}

function serve({ delayMs }) {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const isExtraction = body.includes("新对话");
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
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
}

if (!isMainThread && workerData?.delayMs !== undefined) serve(workerData);
