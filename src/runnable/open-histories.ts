import { KeptHistory } from "../memory/kept-history.js";
import type { MemoryWorkspace } from "../workspace/index.js";

/** So many sessions' conversations are kept in memory at once; the others are read again when they go on. */
const maxOpen = 100;

interface OpenHistory {
  readonly workspace: MemoryWorkspace;
  readonly history: KeptHistory;
}

/** The conversations of the sessions that a wrapper serves, those of each user apart. */
export class OpenHistories {
  readonly #histories = new Map<string, OpenHistory>();

  of(workspace: MemoryWorkspace, userId: string | undefined, sessionId: string): KeptHistory {
    const key = JSON.stringify([userId ?? null, sessionId]);
    const known = this.#histories.get(key);
    // A user who was deleted has another workspace from then on, and nothing of what was said before.
    const open =
      known?.workspace === workspace ? known : { workspace, history: openHistory(workspace, sessionId) };
    // The one that was used last goes last.
    this.#histories.delete(key);
    this.#histories.set(key, open);
    const [oldest] = this.#histories.keys();
    if (this.#histories.size > maxOpen && oldest !== undefined) this.#histories.delete(oldest);
    return open.history;
  }
}

function openHistory({ store, parts }: MemoryWorkspace, sessionId: string): KeptHistory {
  return new KeptHistory(sessionId, store.conversations, parts.environment.randomUUID, parts.reporter);
}
