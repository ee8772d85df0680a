/**
 * A model on the user's own machine, so that nothing leaves it: Ollama, llama.cpp, vLLM and LM Studio all speak the OpenAI
 * protocol under `/v1`.
 *
 *     npm run build && OLLAMA_HOST=http://127.0.0.1:11434 OLLAMA_MODEL=qwen3:8b node examples/local-model.mjs
 *
 * Without OLLAMA_HOST a stand-in takes its place.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { MemoryWorkspace } from "langchain-cross-session-memory";
import { crossSessionMemoryMiddleware } from "langchain-cross-session-memory/middleware";
import { modelName, startStandInModel } from "./stand-in-model/server.mjs";

const { OLLAMA_HOST: host, OLLAMA_MODEL: wanted = "qwen3:8b" } = process.env;
const standIn = host ? undefined : await startStandInModel();
const name = standIn ? modelName : wanted;
console.log(`model: ${name}${standIn ? ", no real language model (set OLLAMA_HOST for one)" : ""}`);

const model = new ChatOpenAI({
  model: name,
  apiKey: "ollama", // Not looked at, but the client wants one.
  configuration: { baseURL: standIn?.baseURL ?? `${host}/v1` },
  maxRetries: 0,
});

const dir = await mkdtemp(join(tmpdir(), "cross-session-memory-"));
const workspace = new MemoryWorkspace({
  dir,
  model,
  locale: "en",
  // A small window holds less: a quarter of the memories, and a conversation in shorter parts.
  memoryBudget: 2048,
  extractionChunkChars: 6000,
  extractionKnownChars: 4000,
  extractionTimeoutMs: 600_000, // Without a graphics card it takes its time; the chat doesn't wait for it.
  maxConcurrentExtractions: 1,
});
const agent = createAgent({ model, middleware: [crossSessionMemoryMiddleware(workspace)] });

async function ask(thread, content) {
  console.log(`\n${thread}> ${content}`);
  const input = { messages: [{ role: "user", content }] };
  const { messages } = await agent.invoke(input, { configurable: { thread_id: thread } });
  console.log(messages.at(-1).text);
}

await ask("monday", "Our service listens on port 7443.");
const { stored, failure } = await workspace.extractNow(); // By itself once 4000 characters have gathered.
console.log(`  (learned: ${stored}${failure ? `, failed: ${failure.reason}` : ""})`);
await ask("tuesday", "Which port does our service listen on?");

console.log(`\nfiles: ${dir}`);
await workspace.close();
await standIn?.close();
