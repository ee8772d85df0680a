/**
 * An agent with tools and a checkpointer, over two threads. It has its memories in the prompt of every model call, learns
 * from what is said, and remembers at once what its user asks it to.
 *
 *     npm run build && node examples/agent.mjs
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { MemoryWorkspace } from "langchain-cross-session-memory";
import { createMemoryTools, crossSessionMemoryMiddleware } from "langchain-cross-session-memory/middleware";
import { openModel } from "./model.mjs";

const { model, name, close } = await openModel();
console.log(`model: ${name}`);

const dir = await mkdtemp(join(tmpdir(), "cross-session-memory-"));
const workspace = new MemoryWorkspace({ dir, model, locale: "en" });
const showSources = ({ segments }) => {
  const memories = segments.find(({ kind }) => kind === "memory")?.sources.length ?? 0;
  console.log(`  (memories in the prompt: ${memories})`);
};
const agent = createAgent({
  model,
  tools: createMemoryTools(workspace),
  checkpointer: new MemorySaver(),
  middleware: [crossSessionMemoryMiddleware({ workspace, onContext: showSources })],
});

async function ask(thread, content) {
  console.log(`\n${thread}> ${content}`);
  const input = { messages: [{ role: "user", content }] };
  const { messages } = await agent.invoke(input, { configurable: { thread_id: thread } });
  console.log(messages.at(-1).text);
}

await ask("monday", "Our project uses pnpm and never npm, because of the lockfile.");
await ask("monday", "Please remember that the release day of our project is Thursday.");
await workspace.extractNow(); // By itself in the background, once 4000 characters have gathered.

// Another thread: nothing of Monday's conversation is in it, only what is remembered.
await ask("tuesday", "What is the release day of our project?");
await ask("tuesday", "Which package manager does our project use?");

console.log(`\nfiles: ${dir}`);
await workspace.close();
await close();
