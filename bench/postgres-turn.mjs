/**
 * A turn, context and recording, over PostgreSQL beside one over files: what moving house costs each turn.
 *
 *     npm run build && node bench/postgres-turn.mjs
 *
 * The server is the one that MEMORY_TEST_POSTGRES_URL names, else a real one that npm has installed.
 */
import { join } from "node:path";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import pg from "pg";
import { LangGraphMemoryStore, MemoryWorkspace } from "../dist/index.mjs";
import { startPostgres } from "../test/postgres/postgres-server.js";
import { pairedMedians, timed } from "./median.mjs";
import { idleModel, inTemporaryFolder } from "./world.mjs";

const server = await startPostgres();
const pool = new pg.Pool({ connectionString: server.url, max: 4 });
const schema = `memory_bench_${process.pid}`;
const base = PostgresStore.fromConnString(server.url, { schema });
try {
  await base.setup();
  await inTemporaryFolder(measure);
} finally {
  await base.stop();
  await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
  await pool.end();
  await server.stop();
}

async function measure(dir) {
  const store = new LangGraphMemoryStore(base);
  const overPostgres = await openWorkspace({ dir: join(dir, "postgres"), store });
  const overFiles = await openWorkspace({ dir: join(dir, "files") });
  const { ours, theirs } = await pairedMedians(turnOf(overPostgres), turnOf(overFiles), { warmUp: 3 });
  console.log(
    `a turn over PostgreSQL on the same machine, 100 memories: ${ours.toFixed(2)} ms\n` +
      `  against one over files: ${theirs.toFixed(2)} ms = ${(ours / theirs).toFixed(1)}`,
  );
}

async function openWorkspace(options) {
  // Nothing is distilled here: what is measured is what a turn waits for.
  const workspace = new MemoryWorkspace({
    ...options,
    model: idleModel,
    extractionTriggerChars: 1_000_000,
    extractionChunkChars: 1_000_000,
  });
  for (let index = 0; index < 100; index++) await workspace.memories.add(`the user's fact number ${index}`);
  return workspace;
}

function turnOf(workspace) {
  let turn = 0;
  return timed(async () => {
    turn++;
    await workspace.assembleContext({ sessionId: "s" });
    await workspace.recordTurn("s", [
      { role: "user", id: `u${turn}`, content: "What about the next thing?" },
      { role: "assistant", id: `a${turn}`, content: "It is done as the last one was." },
    ]);
  }, 5);
}
