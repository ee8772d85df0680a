import { Worker } from "node:worker_threads";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, createMiddleware } from "langchain";
import { MemoryWorkspace } from "langchain-cross-session-memory";
import { crossSessionMemoryMiddleware } from "langchain-cross-session-memory/middleware";
import { pairedMedians, timed } from "./median.mjs";
import { inTemporaryFolder, writeWorld } from "./world.mjs";
await inTemporaryFolder(async (dir) => {
  await writeWorld(dir);
  const worker = new Worker(new URL("./agent.mjs", import.meta.url), { workerData: { delayMs: 0 } });
  const port = await new Promise((r) => worker.once("message", r));
  const model = new ChatOpenAI({ model: "gpt-4o-mini", apiKey: "none", configuration: { baseURL: `http://127.0.0.1:${port}/v1` } });
  const ws = new MemoryWorkspace({ dir, model });
  const { text } = await ws.assembleContext();
  console.log("context bytes", Buffer.byteLength(text));
  const turnOf = (agent) => () => agent.invoke({ messages: [{ role: "user", content: "Which package manager does our project use, and since when?" }] }, { configurable: { thread_id: "one" } });
  const wrap = (request, handler) => handler(request);
  const variants = {
    bare: turnOf(createAgent({ model })),
    "bare+prompt": turnOf(createAgent({ model, systemPrompt: text })),
    wrapNoop: turnOf(createAgent({ model, middleware: [createMiddleware({ name: "a", wrapModelCall: wrap })] })),
    afterNoop: turnOf(createAgent({ model, middleware: [createMiddleware({ name: "a", afterAgent: () => {} })] })),
    bothNoop: turnOf(createAgent({ model, middleware: [createMiddleware({ name: "a", wrapModelCall: wrap, afterAgent: () => {} })] })),
    bothNoopPrompt: turnOf(createAgent({ model, systemPrompt: text, middleware: [createMiddleware({ name: "a", wrapModelCall: wrap, afterAgent: () => {} })] })),
    ours: turnOf(createAgent({ model, middleware: [crossSessionMemoryMiddleware({ dir })] })),
    assemble: () => ws.assembleContext(),
    record: () => ws.recordTurn("x", [["human", "Which package manager " + Math.random()], ["ai", "pnpm"]]),
  };
  const times = Object.fromEntries(Object.keys(variants).map((k) => [k, []]));
  for (let i = -10; i < 150; i++) for (const [k, f] of Object.entries(variants)) { const s = performance.now(); await f(); if (i >= 0) times[k].push(performance.now() - s); }
  for (const [k, t] of Object.entries(times)) { t.sort((a, b) => a - b); console.log(k.padEnd(16), t[75].toFixed(2), "p10", t[15].toFixed(2)); }
  await worker.terminate();
});
