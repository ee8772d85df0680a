import { randomUUID } from "node:crypto";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import pg from "pg";
import { startPostgres } from "./postgres-server.js";

export interface PostgresHome {
  readonly url: string;
  readonly schema: string;
  readonly base: PostgresStore;
  /** A store as another process would have it, with connections of its own; it is stopped with the home. */
  openBase(): PostgresStore;
  query(sql: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** A schema of its own on the server of the tests. */
export async function openPostgres(): Promise<PostgresHome> {
  const server = await startPostgres();
  const schema = `memory_test_${randomUUID().replaceAll("-", "")}`;
  const pool = new pg.Pool({ connectionString: server.url, max: 2 });
  const opened: PostgresStore[] = [];
  const openBase = () => {
    const store = PostgresStore.fromConnString(server.url, { schema });
    opened.push(store);
    return store;
  };
  // Two that make the tables at once disturb each other, so they are made before.
  const base = openBase();
  await base.setup();
  return {
    url: server.url,
    schema,
    base,
    openBase,
    query: async (sql) => (await pool.query(sql)).rows,
    stop: async () => {
      for (const store of opened) await store.stop();
      await pool.query(`DROP SCHEMA "${schema}" CASCADE`);
      await pool.end();
      await server.stop();
    },
  };
}
