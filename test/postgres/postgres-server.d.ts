/** See `postgres-server.js`, which the benchmarks use too. */
export function startPostgres(): Promise<{ readonly url: string; stop(): Promise<void> }>;
