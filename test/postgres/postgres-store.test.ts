import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { LangGraphMemoryStore } from "../../src/memory/langgraph-memory-store.js";
import { describeMemoryStore } from "../store/store-contract.js";
import { openPostgres, type PostgresHome } from "./postgres-home.js";

let postgres: PostgresHome;

beforeAll(async () => {
  postgres = await openPostgres();
});
afterAll(() => postgres.stop());

describeMemoryStore("LangGraphMemoryStore over PostgreSQL", async () => {
  const namespace = [randomUUID()];
  return { open: () => new LangGraphMemoryStore(postgres.base, { namespace }) };
});
