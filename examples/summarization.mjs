/**
 * LangChain's `summarizationMiddleware` beside ours: it shortens the conversation that is sent, and ours learns from
 * every word of it all the same. Its summary becomes the fourth segment of the system message, after the memories.
 *
 *     npm run build && node examples/summarization.mjs
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent, summarizationMiddleware } from "langchain";
import { MemoryWorkspace } from "langchain-cross-session-memory";
import { crossSessionMemoryMiddleware } from "langchain-cross-session-memory/middleware";
import { openModel } from "./model.mjs";

const { model, name, close } = await openModel();
console.log(`model: ${name}`);

const dir = await mkdtemp(join(tmpdir(), "cross-session-memory-"));
const workspace = new MemoryWorkspace({ dir, model, locale: "en" });
const agent = createAgent({
  model,
  checkpointer: new MemorySaver(),
  middleware: [
    summarizationMiddleware({ model, trigger: { messages: 4 }, keep: { messages: 1 } }),
    crossSessionMemoryMiddleware({
      workspace,
      onContext: ({ segments }) =>
        console.log(`  (segments: ${segments.map(({ kind }) => kind).join(", ")})`),
    }),
  ],
});

async function ask(thread, content) {
  console.log(`\n${thread}> ${content}`);
  const input = { messages: [{ role: "user", content }] };
  const { messages } = await agent.invoke(input, { configurable: { thread_id: thread } });
  console.log(messages.at(-1).text);
  console.log(`  (${messages.length} messages in the thread)`);
}

await ask("monday", "Our service listens on port 7443.");
await ask("monday", "Hello!");
await ask("monday", "How are you?");
await ask("monday", "Good, go on.");
await workspace.extractNow(); // The first message is in no thread any more, and is learned from all the same.

await ask("tuesday", "Which port does our service listen on?");

console.log(`\nfiles: ${dir}`);
await workspace.close();
await close();
