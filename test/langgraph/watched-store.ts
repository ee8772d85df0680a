import { InMemoryStore } from "@langchain/langgraph";
import type { LangGraphSearchOptions, LangGraphStoreLike } from "../../src/memory/langgraph-base-store.js";

export interface Query {
  readonly method: "get" | "search" | "put" | "delete";
  readonly namespace: readonly string[];
  readonly key?: string | undefined;
  readonly value?: Record<string, unknown> | undefined;
}

/** A base store that tells what it was asked, can be down, and can hold a query up. */
export class WatchedStore implements LangGraphStoreLike {
  readonly queries: Query[] = [];
  /** Rejects everything while set. */
  failure: Error | undefined;
  /** Awaited before a query is carried out. */
  before: (query: Query) => Promise<void> | void = () => {};
  /** Awaited after a query is carried out, before its answer comes back. */
  after: (query: Query) => Promise<void> | void = () => {};
  readonly base: LangGraphStoreLike;

  constructor(base: LangGraphStoreLike = new InMemoryStore()) {
    this.base = base;
  }

  /** Gives what was asked since the last time. */
  taken(): Query[] {
    return this.queries.splice(0);
  }

  get(namespace: string[], key: string) {
    return this.#watch({ method: "get", namespace, key }, async () => {
      const item = await this.base.get(namespace, key);
      return item === null ? null : structuredClone(item);
    });
  }

  search(namespace: string[], options?: LangGraphSearchOptions) {
    return this.#watch({ method: "search", namespace }, async () =>
      structuredClone(await this.base.search(namespace, options)),
    );
  }

  put(namespace: string[], key: string, value: Record<string, unknown>) {
    return this.#watch({ method: "put", namespace, key, value }, () =>
      this.base.put(namespace, key, structuredClone(value)),
    );
  }

  delete(namespace: string[], key: string) {
    return this.#watch({ method: "delete", namespace, key }, () => this.base.delete(namespace, key));
  }

  async #watch<Result>(query: Query, work: () => Promise<Result>): Promise<Result> {
    this.queries.push(query);
    await this.before(query);
    if (this.failure !== undefined) throw this.failure;
    const result = await work();
    await this.after(query);
    return result;
  }
}
