/**
 * Loading one user's context from PostgreSQL while it holds a thousand memories and while it holds many.
 *
 *     npm run build && node bench/postgres.mjs                 100,000 memories of 1,000 users
 *     MEMORY_BENCH_MEMORIES=1000000 node bench/postgres.mjs    1,000,000 memories of 10,000 users
 *     … --check                                                exit status 1 where the second takes over twice the first
 *
 * The server is the one that MEMORY_TEST_POSTGRES_URL names, else a real one that npm has installed. Both have what most
 * databases have and is hardest here: a collation by which LIKE can't use an index.
 */
import { createHash } from "node:crypto";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import pg from "pg";
import { LangGraphMemoryStore, MemoryWorkspace } from "../dist/index.mjs";
import { startPostgres } from "../test/postgres/postgres-server.js";
import { median } from "./median.mjs";
import { idleModel, inTemporaryFolder } from "./world.mjs";

const memoriesOfEach = 100;
const memories = Number(process.env.MEMORY_BENCH_MEMORIES ?? 100_000);
const users = { few: 10, many: Math.ceil(memories / memoriesOfEach) };
const loads = 200;
const limit = 2;

const server = await startPostgres();
const schema = `memory_bench_${process.pid}`;
const pool = new pg.Pool({ connectionString: server.url, max: 4 });
const base = PostgresStore.fromConnString(server.url, { schema });
try {
  await inTemporaryFolder(measure);
} finally {
  await base.stop();
  await pool.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  await pool.end();
  await server.stop();
}

async function measure(dir) {
  await base.setup();
  const workspace = new MemoryWorkspace({ dir, model: idleModel, store: new LangGraphMemoryStore(base) });
  await fillTemplate(workspace);
  await multiply(1, users.few);
  const few = await medianLoad(workspace, users.few);
  await multiply(users.few + 1, users.many);
  const many = await medianLoad(workspace, users.many);
  const [{ count }] = (await pool.query(`SELECT count(*) FROM "${schema}".store`)).rows;
  const ratio = many / few;
  console.log(
    `one user's context of ${memoriesOfEach} memories, of ${users.many} users (${count} items): ${many.toFixed(2)} ms\n` +
      `  against ${users.few} users: ${few.toFixed(2)} ms = ${ratio.toFixed(2)}, limit ${limit.toFixed(2)}: ${ratio <= limit ? "ok" : "OVER"}`,
  );
  if (process.argv.includes("--check") && ratio > limit) process.exitCode = 1;
}

/** One user by the public door; the others are made of its items in the database. */
async function fillTemplate(workspace) {
  const items = Array.from({ length: memoriesOfEach }, (_, index) => ({
    id: `memory-${index}`,
    content: `the user number-0 said that thing ${index} matters, and how it is to be done the next time`,
    createdAt: 1_700_000_000_000 + index,
    sourceScope: "global",
  }));
  await workspace.forUser("user-0").memories.save(items);
}

async function multiply(first, last) {
  const template = ownerOf(0);
  // An index over a million values is built faster at once than row by row.
  await pool.query(`DROP INDEX IF EXISTS "${schema}".idx_store_value_gin`);
  for (let from = first; from <= last; from += 500) {
    const numbers = Array.from({ length: Math.min(500, last - from + 1) }, (_, index) => from + index);
    await pool.query(
      `INSERT INTO "${schema}".store (namespace_path, key, value)
       SELECT replace(namespace_path, $1, owner), key,
              replace(replace(value::text, $1, owner), 'number-0', 'number-' || number)::jsonb
       FROM "${schema}".store CROSS JOIN unnest($2::text[], $3::int[]) AS made(owner, number)
       WHERE namespace_path LIKE '%' || $1 || '%'`,
      [template, numbers.map(ownerOf), numbers],
    );
  }
  await pool.query(`CREATE INDEX idx_store_value_gin ON "${schema}".store USING gin (value)`);
  await pool.query(`VACUUM ANALYZE "${schema}".store`);
}

async function medianLoad(workspace, userCount) {
  const times = [];
  for (let load = -20; load < loads; load++) {
    const number = 1 + Math.floor(Math.random() * userCount);
    const user = workspace.forUser(`user-${number}`);
    const began = performance.now();
    const { text } = await user.assembleContext();
    const took = performance.now() - began;
    if (!text.includes(`number-${number} said that thing 99 `)) throw new Error("not this user's memories");
    if (load >= 0) times.push(took);
  }
  return median(times);
}

/** The label of a user in the store: what `forUser` makes of the id. */
function ownerOf(number) {
  const hash = createHash("sha256").update(`app\0user-${number}`, "utf16le").digest("hex");
  return `u${hash.slice(0, 40)}`;
}
