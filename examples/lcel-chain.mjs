/**
 * Any LCEL chain remembers with two calls around it: load before, save after.
 *
 *     npm run build && node examples/lcel-chain.mjs
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { CrossSessionMemory, MemoryWorkspace } from "langchain-cross-session-memory";
import { openModel } from "./model.mjs";

const { model, name, close } = await openModel();
console.log(`model: ${name}`);

const dir = await mkdtemp(join(tmpdir(), "cross-session-memory-"));
const workspace = new MemoryWorkspace({ dir, model, locale: "en" });
const prompt = ChatPromptTemplate.fromMessages([
  ["placeholder", "{history}"],
  ["human", "{input}"],
]);
const chain = prompt.pipe(model).pipe(new StringOutputParser());

async function ask(memory, input) {
  const variables = await memory.loadMemoryVariables({ input });
  let output = "";
  for await (const piece of await chain.stream({ input, ...variables })) output += piece;
  await memory.saveContext({ input }, { output });
  return output;
}

const monday = new CrossSessionMemory({ workspace, returnMessages: true });
await ask(monday, "I prefer answers with the conclusion first and the reasons after it.");
await workspace.extractNow(); // By itself in the background, once 4000 characters have gathered.

const tuesday = new CrossSessionMemory({ workspace, returnMessages: true });
console.log(await ask(tuesday, "What comes first in the answers that I prefer, conclusion or reasons?"));

console.log(`files: ${dir}`);
await workspace.close();
await close();
