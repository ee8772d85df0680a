/**
 * A streaming agent: its words come as they are spoken. What it learns happens beside the stream and never shows in it.
 *
 *     npm run build && node examples/streaming-agent.mjs
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent } from "langchain";
import { MemoryWorkspace } from "langchain-cross-session-memory";
import { crossSessionMemoryMiddleware } from "langchain-cross-session-memory/middleware";
import { openModel } from "./model.mjs";

const { model, name, close } = await openModel();
console.log(`model: ${name}`);

const dir = await mkdtemp(join(tmpdir(), "cross-session-memory-"));
// So little, so that the example's few words start an extraction; the default is 4000 characters.
const workspace = new MemoryWorkspace({ dir, model, locale: "en", extractionTriggerChars: 60 });
const agent = createAgent({ model, middleware: [crossSessionMemoryMiddleware(workspace)] });

async function ask(thread, content) {
  console.log(`\n${thread}> ${content}`);
  const config = { configurable: { thread_id: thread }, streamMode: "messages" };
  for await (const [chunk] of await agent.stream({ messages: [{ role: "user", content }] }, config)) {
    process.stdout.write(chunk.text);
  }
  console.log();
}

await ask("monday", "I prefer answers with the conclusion first and the reasons after it.");
await workspace.idle(); // A script waits so; a server just goes on.
await ask("tuesday", "What comes first in the answers that I prefer, conclusion or reasons?");

console.log(`\nfiles: ${dir}`);
await workspace.close();
await close();
