import { AppendLog, type LogPosition, withLock } from "../files/index.js";
import { codePointLength } from "../text/index.js";
import type { WaitingQueue } from "./memory-store.js";
import type { WaitingEntry, WaitingTotals } from "./waiting-entry.js";

/** `waiting.jsonl`: appended after each turn without a lock, shortened under one. */
export class JsonWaitingQueue implements WaitingQueue {
  readonly #path: string;
  readonly #log: AppendLog<WaitingEntry>;
  #position: LogPosition | undefined;
  #sessions = new Map<string, WaitingSession>();
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

  async of(sessionId: string, messageIds: ReadonlySet<string>): Promise<readonly WaitingEntry[]> {
    await this.#follow();
    const byId = this.#sessions.get(sessionId)?.byId;
    return [...messageIds].flatMap((id) => byId?.get(id) ?? []);
  }

  async totals(): Promise<ReadonlyMap<string, WaitingTotals>> {
    await this.#follow();
    return new Map(
      [...this.#sessions].map(([session, { characters, messages, lastTime }]) => [
        session,
        { characters, messages, lastTime },
      ]),
    );
  }

  remove(entryIds: ReadonlySet<string>): Promise<void> {
    return withLock(this.#path, () => this.#log.replace((entry) => !entryIds.has(entry.entryId)));
  }

  /** Reads only what was appended since it was last asked. */
  #follow(): Promise<void> {
    const following = this.#following.then(() => this.#readNew());
    this.#following = following.catch(() => {
      // Whoever asked is told; the next one reads anew.
    });
    return following;
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
      const session = this.#sessions.get(entry.session) ?? new WaitingSession();
      this.#sessions.set(entry.session, session);
      session.add(entry);
    }
  }
}

/** Grows in place: a session may have tens of thousands of messages waiting. */
class WaitingSession implements WaitingTotals {
  readonly byId = new Map<string, WaitingEntry[]>();
  messages = 0;
  characters = 0;
  lastTime = 0;

  add(entry: WaitingEntry): void {
    const same = this.byId.get(entry.id);
    if (same === undefined) this.byId.set(entry.id, [entry]);
    else same.push(entry);
    this.messages++;
    this.characters += codePointLength(entry.text);
    this.lastTime = Math.max(this.lastTime, entry.time);
  }
}

function parseWaitingEntry(value: unknown): WaitingEntry | undefined {
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
