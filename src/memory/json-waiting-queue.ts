import { AppendLog, type LogPosition, withLock } from "../files/index.js";
import { codePointLength } from "../text/index.js";
import type { WaitingQueue } from "./memory-store.js";
import type { WaitingEntry, WaitingTotals } from "./waiting-entry.js";

/** `waiting.jsonl`: appended after each turn without a lock, shortened under one. */
export class JsonWaitingQueue implements WaitingQueue {
  readonly #path: string;
  readonly #log: AppendLog<WaitingEntry>;
  #position: LogPosition | undefined;
  #sessions = new Map<string, SessionQueue>();
  #entryIds = new Set<string>();
  #following: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
    this.#log = new AppendLog(path, parseWaitingEntry);
  }

  append(entries: readonly WaitingEntry[]): Promise<void> {
    return this.#log.append(entries);
  }

  read(): Promise<readonly WaitingEntry[]> {
    return this.#log.read();
  }

  async of(sessionId: string): Promise<readonly WaitingEntry[]> {
    return (await this.#follow()).get(sessionId)?.entries ?? [];
  }

  totals(): Promise<ReadonlyMap<string, WaitingTotals>> {
    return this.#follow();
  }

  remove(entryIds: ReadonlySet<string>): Promise<void> {
    return withLock(this.#path, () => this.#log.replace((entry) => !entryIds.has(entry.entryId)));
  }

  /** Reads only what was appended since it was last asked. */
  async #follow(): Promise<ReadonlyMap<string, SessionQueue>> {
    const following = this.#following.then(() => this.#readNew());
    this.#following = following.catch(() => {});
    await following;
    return this.#sessions;
  }

  async #readNew(): Promise<void> {
    const { entries, position, restarted } = await this.#log.scan(this.#position);
    this.#position = position;
    if (restarted) {
      this.#sessions = new Map();
      this.#entryIds = new Set();
    }
    for (const entry of entries) {
      if (this.#entryIds.has(entry.entryId)) continue;
      this.#entryIds.add(entry.entryId);
      const former = this.#sessions.get(entry.session) ?? {
        entries: [],
        characters: 0,
        messages: 0,
        lastTime: 0,
      };
      this.#sessions.set(entry.session, {
        entries: former.entries.concat(entry),
        characters: former.characters + codePointLength(entry.text),
        messages: former.messages + 1,
        lastTime: Math.max(former.lastTime, entry.time),
      });
    }
  }
}

interface SessionQueue extends WaitingTotals {
  readonly entries: readonly WaitingEntry[];
}

export function parseWaitingEntry(value: unknown): WaitingEntry | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { entryId, session, id, role, time, text } = value as Record<string, unknown>;
  const isUsable =
    typeof entryId === "string" &&
    typeof session === "string" &&
    typeof id === "string" &&
    (role === "user" || role === "assistant") &&
    typeof time === "number" &&
    typeof text === "string";
  return isUsable ? { entryId, session, id, role, time, text } : undefined;
}
