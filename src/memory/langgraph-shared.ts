import { type LangGraphStoreLike, surviveLostConnections } from "./langgraph-base-store.js";

/** What all homes over one base store in this process have in common. */
export class SharedByBase {
  readonly #lines = new Map<string, Promise<void>>();
  #lastOrder = 0;
  /** Whether a search by mark has found something: until then an empty answer is not trusted. */
  isMarkProven = false;

  /** One after the other for each name: a base store has no compare-and-set, but within a process there need be no race. */
  inLine<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const done = (this.#lines.get(name) ?? Promise.resolve()).then(work);
    const line = done
      .then(nothing, nothing)
      .then(
        () => this.#lines.get(name) === line && this.#lines.delete(name),
      ) as Promise<unknown> as Promise<void>;
    this.#lines.set(name, line);
    return done;
  }

  /** Grows with each call and with the clock: what was written in one millisecond keeps its order. */
  nextOrder(now: number): number {
    this.#lastOrder = Math.max(this.#lastOrder + 1, Math.floor(now) * 1000);
    return this.#lastOrder;
  }
}

const known = new WeakMap<LangGraphStoreLike, SharedByBase>();

export function sharedBy(store: LangGraphStoreLike): SharedByBase {
  const former = known.get(store);
  if (former !== undefined) return former;
  const shared = new SharedByBase();
  known.set(store, shared);
  surviveLostConnections(store);
  return shared;
}

function nothing(): void {
  // A failed work is its caller's; the next in line goes on.
}
