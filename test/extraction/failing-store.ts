import type { MemoryStore } from "../../src/index.js";

type Part = "memories" | "replaced" | "candidates" | "waiting" | "sessions" | "extraction";

/**
 * The parts of a store whose named methods fail while `fail` says so, as a full disk does it or a killed process: what was
 * done before is done.
 */
export function failingStore(store: MemoryStore, fail: (call: string) => Error | undefined): MemoryStore {
  const wrap = <Name extends Part>(name: Name): MemoryStore[Name] =>
    new Proxy(store[name], {
      get(target, property) {
        const method = Reflect.get(target, property) as unknown;
        if (typeof method !== "function") return method;
        return async (...given: unknown[]) => {
          const error = fail(`${name}.${String(property)}`);
          if (error !== undefined) throw error;
          return (method as (...given: unknown[]) => unknown).apply(target, given);
        };
      },
    });
  return {
    memories: wrap("memories"),
    replaced: wrap("replaced"),
    candidates: wrap("candidates"),
    waiting: wrap("waiting"),
    sessions: wrap("sessions"),
    extraction: wrap("extraction"),
    conversations: store.conversations,
    settings: store.settings,
    forUser: (userId) => store.forUser(userId),
    deleteUser: (userId) => store.deleteUser(userId),
  };
}

export function diskError(code = "ENOSPC"): Error {
  return Object.assign(new Error(`${code}: SECRETWORD no space left`), { code });
}
