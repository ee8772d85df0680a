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
import { pairedMedians } from "./median.mjs";
import { idleModel, inTemporaryFolder } from "./world.mjs";

const memoriesOfEach = 100;
const memories = Number(process.env.MEMORY_BENCH_MEMORIES ?? 100_000);
const users = { few: 10, many: Math.ceil(memories / memoriesOfEach) };
const loadsOfEach = 20;
const limit = 2;

// Room for the tables, as a database of this size is given.
const server = await startPostgres(["shared_buffers=1GB"]);
const pool = new pg.Pool({ connectionString: server.url, max: 4 });
try {
  await inTemporaryFolder(measure);
} finally {
  await pool.end();
  await server.stop();
}

async function measure(dir) {
  const few = await openHome(dir, users.few);
  const many = await openHome(dir, users.many);
  const count = await many.count();
  // In turn, so that whatever slows the machine for a moment slows both.
  const medians = await pairedMedians(many.load, few.load, { warmUp: 3 });
  await many.close();
  await few.close();
  const ratio = medians.ours / medians.theirs;
  console.log(
    `one user's context of ${memoriesOfEach} memories, of ${users.many} users (${count} items): ${medians.ours.toFixed(2)} ms\n` +
      `  against ${users.few} users: ${medians.theirs.toFixed(2)} ms = ${ratio.toFixed(2)}, limit ${limit.toFixed(2)}: ${ratio <= limit ? "ok" : "OVER"}`,
  );
  if (process.argv.includes("--check") && ratio > limit) process.exitCode = 1;
}

/** A schema of its own with so many users. */
async function openHome(dir, userCount) {
  const schema = `memory_bench_${process.pid}_${userCount}`;
  const base = PostgresStore.fromConnString(server.url, { schema });
  await base.setup();
  const workspace = new MemoryWorkspace({ dir, model: idleModel, store: new LangGraphMemoryStore(base) });
  await fillTemplate(workspace);
  await multiply(schema, userCount);
  return {
    load: () => loadSome(workspace, userCount),
    count: async () => (await pool.query(`SELECT count(*) FROM "${schema}".store`)).rows[0].count,
    close: async () => {
      await base.stop();
      await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
    },
  };
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

async function multiply(schema, last) {
  const template = ownerOf(0);
  // An index over a million values is built faster at once than row by row.
  await pool.query(`DROP INDEX IF EXISTS "${schema}".idx_store_value_gin`);
  for (let from = 1; from <= last; from += 500) {
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

/** Milliseconds of one load, averaged over some of users that are drawn by lot. */
async function loadSome(workspace, userCount) {
  let total = 0;
  for (let load = 0; load < loadsOfEach; load++) {
    const number = 1 + Math.floor(Math.random() * userCount);
    const user = workspace.forUser(`user-${number}`);
    const began = performance.now();
    const { text } = await user.assembleContext();
    total += performance.now() - began;
    if (!text.includes(`number-${number} said that thing 99 `)) throw new Error("not this user's memories");
  }
  return total / loadsOfEach;
}

/** The label of a user in the store: what `forUser` makes of the id. */
function ownerOf(number) {
  const hash = createHash("sha256").update(`app\0user-${number}`, "utf16le").digest("hex");
  return `u${hash.slice(0, 40)}`;
}
