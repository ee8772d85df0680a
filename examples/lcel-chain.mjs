/**
 * Any LCEL chain remembers with one call around it, and streams as before.
 *
 *     npm run build && node examples/lcel-chain.mjs
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { MemoryWorkspace, withCrossSessionMemory } from "langchain-cross-session-memory";
import { openModel } from "./model.mjs";

const { model, name, close } = await openModel();
console.log(`model: ${name}`);

const dir = await mkdtemp(join(tmpdir(), "cross-session-memory-"));
const workspace = new MemoryWorkspace({ dir, model, locale: "en" });
const prompt = ChatPromptTemplate.fromMessages([
  ["system", "You are a helpful assistant."],
  ["placeholder", "{history}"],
  ["human", "{input}"],
]);
const chain = prompt.pipe(model).pipe(new StringOutputParser());

const chat = withCrossSessionMemory(chain, { workspace });

async function ask(thread_id, input) {
  for await (const piece of await chat.stream({ input }, { configurable: { thread_id } })) {
    process.stdout.write(piece);
  }
  process.stdout.write("\n");
}

await ask("monday", "I prefer answers with the conclusion first and the reasons after it.");
await workspace.extractNow(); // By itself in the background, once 4000 characters have gathered.

await ask("tuesday", "What comes first in the answers that I prefer, conclusion or reasons?");

console.log(`files: ${dir}`);
await workspace.close();
await close();
