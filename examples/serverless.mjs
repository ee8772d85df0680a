/**
 * A serverless function: it answers, and hands what it learns to the platform's `waitUntil`, for a function may be frozen as
 * soon as it has answered. Its memory is in a database, since its disk goes with it.
 *
 *     npm run build && DATABASE_URL=postgres://… node examples/serverless.mjs
 *
 * Without DATABASE_URL LangGraph's store in memory stands in for PostgreSQL; the rest is the same.
 */
import { fileURLToPath } from "node:url";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { InMemoryStore } from "@langchain/langgraph";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import {
  LangGraphMemoryStore,
  MemoryWorkspace,
  withCrossSessionMemory,
} from "langchain-cross-session-memory";
import { openModel } from "./model.mjs";

const { model, name, close } = await openModel({ extractionDelayMs: 50 });
console.log(`model: ${name}`);

const url = process.env.DATABASE_URL;
const base = url ? PostgresStore.fromConnString(url) : new InMemoryStore();
// Makes its tables: once, at deployment.
if (url) await base.setup();

// Outside of the handler: once for each instance of the function. Rules and skills are files that come with it.
const workspace = new MemoryWorkspace({
  dir: fileURLToPath(new URL("./demo/ai.en", import.meta.url)),
  model,
  locale: "en",
  store: new LangGraphMemoryStore(base),
  extractionTriggerChars: 60, // So little for the example's few words; the default is 4000.
});
const chat = withCrossSessionMemory(model.pipe(new StringOutputParser()), {
  workspace,
  userId: ({ configurable }) => configurable?.user_id,
});

export async function handler(request, { waitUntil }) {
  const user_id = request.headers.get("x-signed-in-user"); // As the platform's sign-in sets it.
  if (!user_id) return new Response("who are you?", { status: 401 });
  const { session, text } = await request.json();
  const answer = await chat.invoke(text, { configurable: { thread_id: session, user_id } });
  waitUntil(workspace.idle());
  return Response.json({ answer });
}

/** Stands in for the platform: after the answer it waits for what the handler gave it, and then freezes the function. */
async function invoke(session, text) {
  const given = [];
  const request = new Request("http://localhost/chat", {
    method: "POST",
    headers: { "x-signed-in-user": "ada@host.example" },
    body: JSON.stringify({ session, text }),
  });
  const response = await handler(request, { waitUntil: (promise) => given.push(promise) });
  const known = () => workspace.forUser("ada@host.example").memories.list();
  console.log(`\n${session}> ${text}\n${(await response.json()).answer}`);
  console.log(`  (answered; memories: ${(await known()).length})`);
  await Promise.all(given);
  console.log(`  (frozen; memories: ${(await known()).length})`);
}

await invoke("monday", "Our project uses pnpm and never npm, because of the lockfile.");
await invoke("tuesday", "Which package manager does our project use?");

await workspace.deleteUser("ada@host.example");
await workspace.close();
if (url) await base.stop();
await close();
