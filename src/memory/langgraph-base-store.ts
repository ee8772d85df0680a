/**
 * What this library needs of a LangGraph store: four of the methods of `BaseStore`, which `InMemoryStore`,
 * `PostgresStore` and every other has. It is typed by its shape, so that LangGraph need not be installed.
 */
export interface LangGraphStoreLike {
  get(namespace: string[], key: string): Promise<LangGraphItem | null>;
  search(namespacePrefix: string[], options?: LangGraphSearchOptions): Promise<LangGraphItem[]>;
  put(namespace: string[], key: string, value: Record<string, unknown>): Promise<void>;
  delete(namespace: string[], key: string): Promise<void>;
}

export interface LangGraphItem {
  readonly namespace: string[];
  readonly key: string;
  readonly value: Record<string, unknown>;
}

export interface LangGraphSearchOptions {
  filter?: Record<string, unknown>;
  limit?: number;
  offset?: number;
}

/**
 * The store itself where a run gave its own view of it: that view (`AsyncBatchedStore`) answers only while the run lasts,
 * and extraction goes on after it.
 */
export function ownStore(store: LangGraphStoreLike): LangGraphStoreLike {
  const { lg_name, store: inner } = store as { lg_name?: unknown; store?: unknown };
  return lg_name === "AsyncBatchedStore" && isStoreLike(inner) ? inner : store;
}

export function isStoreLike(value: unknown): value is LangGraphStoreLike {
  if (typeof value !== "object" || value === null) return false;
  const methods = value as Record<string, unknown>;
  return ["get", "search", "put", "delete"].every((name) => typeof methods[name] === "function");
}

/**
 * Whether it is LangGraph's PostgreSQL store. It looks for a namespace by `LIKE`, which its own index serves only in a
 * database of the C collation; asking for a key of the value as well lets its GIN index find the rows in every database.
 */
export function isPostgresStore(store: LangGraphStoreLike): boolean {
  return "searchOps" in store && "crudOps" in store;
}

/**
 * Keeps the process up when the database goes away: `pg` reports a connection that broke as an event, of the pool where it
 * was idle and of the connection itself where a query ran on it. LangGraph's store listens to neither, so a restart of the
 * server would end the app. The query that was lost, or the next one, says what is wrong.
 */
export function surviveLostConnections(store: LangGraphStoreLike): void {
  const { core } = store as { core?: { pool?: Partial<NodeJS.EventEmitter> } };
  const pool = core?.pool;
  if (typeof pool?.on !== "function") return;
  const heard = new WeakSet<NodeJS.EventEmitter>();
  pool.on("error", ignore);
  pool.on("acquire", (connection: NodeJS.EventEmitter) => {
    if (heard.has(connection)) return;
    heard.add(connection);
    connection.on("error", ignore);
  });
}

function ignore(): void {
  // Each query that fails by it rejects.
}
