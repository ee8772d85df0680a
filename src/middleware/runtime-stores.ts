import { isStoreLike, ownStore } from "../memory/langgraph-base-store.js";
import { LangGraphMemoryStore } from "../memory/langgraph-memory-store.js";
import type { MemoryWorkspace } from "../workspace/index.js";

/** The workspaces over the stores that runs bring with them: one for each store, for as long as the app keeps it. */
export class RuntimeStores {
  readonly #workspace: MemoryWorkspace;
  readonly #known = new WeakMap<object, MemoryWorkspace>();

  constructor(workspace: MemoryWorkspace) {
    this.#workspace = workspace;
  }

  /** `undefined` where the run has none: the agent was made without `store`. */
  workspaceOf({ store }: { readonly store?: unknown }): MemoryWorkspace | undefined {
    if (!isStoreLike(store)) return undefined;
    const baseStore = ownStore(store);
    const known = this.#known.get(baseStore) ?? this.#workspace.over(new LangGraphMemoryStore(baseStore));
    this.#known.set(baseStore, known);
    return known;
  }
}
