/** See `postgres-server.js`, which the benchmarks use too. */
export function startPostgres(
  ownSettings?: string[],
): Promise<{ readonly url: string; stop(): Promise<void> }>;
