/**
 * Two processes of an app with one memory, in the database that it has anyway: what one learns, the other knows.
 *
 *     npm run build && DATABASE_URL=postgres://… node examples/postgres.mjs
 *
 * Without DATABASE_URL LangGraph's store in memory stands in for PostgreSQL; the rest is the same.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryStore } from "@langchain/langgraph";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { LangGraphMemoryStore, MemoryWorkspace } from "langchain-cross-session-memory";
import { openModel } from "./model.mjs";

const { model, name, close } = await openModel();
console.log(`model: ${name}`);

const url = process.env.DATABASE_URL;
const base = url ? PostgresStore.fromConnString(url) : new InMemoryStore();
// Makes its tables: once, before several processes start.
if (url) await base.setup();

// Rules, skills and their switches are files; the example takes a fresh folder.
const dir = await mkdtemp(join(tmpdir(), "cross-session-memory-"));
const openWorkspace = () =>
  new MemoryWorkspace({ dir, model, locale: "en", store: new LangGraphMemoryStore(base) });

// Here two workspaces stand for two processes: they share nothing but the store.
const one = openWorkspace().forUser("ada@host.example");
await one.recordTurn("monday", [
  ["human", "Hi! Our project uses pnpm and never npm, because of the lockfile."],
  ["ai", "Noted."],
]);
await one.extractNow();

const other = openWorkspace();
console.log((await other.forUser("ada@host.example").assembleContext()).text);
console.log(`of another user: ${JSON.stringify((await other.forUser("bob").assembleContext()).text)}`);

if (url) {
  await other.deleteUser("ada@host.example");
  await base.stop();
}
await close();
