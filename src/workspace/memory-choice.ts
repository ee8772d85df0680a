import { roomForMemories } from "../context/index.js";
import { faultName } from "../errors.js";
import type { MemoryItem } from "../memory/memory-item.js";
import type { MemoryStore } from "../memory/memory-store.js";
import type { RelevantChoice } from "./relevant-choice.js";
import type { SharedParts } from "./shared-parts.js";

/** The words and the session of the model call that memories are chosen for. */
export interface Asked {
  readonly query?: string | undefined;
  readonly sessionId?: string | undefined;
}

/**
 * Which memories of one user go into the prompt where not all fit, as the option `selection` says. With `"newest"` nothing
 * of this is asked or loaded.
 */
export class MemoryChoice {
  readonly #shared: SharedParts;
  readonly #store: MemoryStore;
  #opening: Promise<RelevantChoice> | undefined;

  constructor(shared: SharedParts, store: MemoryStore) {
    this.#shared = shared;
    this.#store = store;
  }

  /** Ids; `undefined` where all fit, or the newest are to stay. Never rejects. */
  async of(memories: readonly MemoryItem[], asked: Asked): Promise<ReadonlySet<string> | undefined> {
    const { options, locale, reporter } = this.#shared;
    const budgetBytes = roomForMemories(memories, options.memoryBudget, locale.context);
    if (budgetBytes === undefined) return undefined;
    try {
      const chosen = await (await this.#opened()).of(memories, asked, budgetBytes);
      reporter.recovered("selection");
      return chosen;
    } catch (error) {
      reporter.warnOnce(
        "selection",
        `the selection of memories failed (${faultName(error)}); the newest are taken`,
      );
      return undefined;
    }
  }

  /** Memories were stored: where the selection takes embeddings, their vectors are made in the background. */
  stored(): void {
    const { options, background, isClosed } = this.#shared;
    if (typeof options.selection !== "function" || isClosed()) return;
    background.run(async () => (await this.#opened()).stored());
  }

  #opened(): Promise<RelevantChoice> {
    this.#opening ??= import("./relevant-choice.js").then(
      ({ RelevantChoice }) => new RelevantChoice(this.#shared, this.#store),
    );
    return this.#opening;
  }
}
