import { createHash } from "node:crypto";
import { faultName } from "../errors.js";
import type { Reporter } from "../log.js";
import type { ChatMessage } from "../messages/chat-message.js";
import { codePointLength } from "../text/index.js";
import type { MemoryStore } from "./memory-store.js";
import { newMessages, readLastTurn } from "./new-messages.js";
import { maskSecrets } from "./secrets/index.js";
import { emptySessionRecord, isSeen, type SeenMessage, seenMessage, withSeen } from "./session-record.js";
import type { WaitingEntry } from "./waiting-entry.js";

export interface RecorderParts {
  readonly store: MemoryStore;
  readonly now: () => number;
  readonly randomUUID: () => string;
  readonly reporter: Reporter;
  /** Stands where a credential stood. */
  readonly secretMark: string;
  /** Code points that are kept in memory where the queue can't be written. */
  readonly maxWaitingChars: number;
  /** Runs what a turn doesn't wait for. */
  readonly inBackground: (work: () => Promise<void>) => void;
}

/** Puts the messages of completed turns into the queue: one append a turn, whatever the session's length. */
export class Recorder {
  readonly #parts: RecorderParts;
  /** What could not be queued yet: written with the next turn. */
  #unqueued: WaitingEntry[] = [];
  /** Words of temporary runs by their hash: they must not be learned later, and may be nowhere but here. */
  readonly #passedOver = new Set<string>();

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** Whether something waits that no file holds yet. */
  get isHolding(): boolean {
    return this.#unqueued.length > 0;
  }

  /** Resolves when the turn is acknowledged. Gives how many messages were new. */
  async record(sessionId: string, conversation: readonly unknown[]): Promise<number> {
    const lastTurn = await this.#masked(readLastTurn(conversation));
    const candidates = newMessages(lastTurn, () => false);
    const seen = candidates.some(({ id }) => id !== undefined) ? await this.#seen(sessionId) : [];
    const isKnown = (message: ChatMessage) =>
      isSeen(seen, message) || this.#passedOver.has(fingerprint(sessionId, message));
    const { now, randomUUID } = this.#parts;
    const time = now();
    const entries = newMessages(lastTurn, isKnown).map(
      ({ id, role, text }): WaitingEntry => ({
        entryId: randomUUID(),
        session: sessionId,
        id: id ?? randomUUID(),
        role: role === "user" ? "user" : "assistant",
        time,
        text,
      }),
    );
    if (entries.length > 0) await this.#append(entries);
    return entries.length;
  }

  /**
   * Marks the last turn of a temporary run, so that its words are not learned later either. No word of it is kept, and
   * the turn waits for no lock: ids go to the session's record in the background.
   */
  async passOver(sessionId: string, conversation: readonly unknown[]): Promise<void> {
    const messages = (await this.#masked(readLastTurn(conversation))).filter(isSpoken);
    for (const message of messages) this.#passedOver.add(fingerprint(sessionId, message));
    for (const oldest of this.#passedOver) {
      if (this.#passedOver.size <= maxPassedOver) break;
      this.#passedOver.delete(oldest);
    }
    const ids = messages.flatMap(({ id }) => id ?? []);
    if (ids.length > 0) this.#parts.inBackground(() => this.#markPassedOver(sessionId, ids));
  }

  async #markPassedOver(sessionId: string, ids: readonly string[]): Promise<void> {
    const { store, reporter } = this.#parts;
    try {
      await store.sessions.change(sessionId, (record = emptySessionRecord(sessionId)) => {
        const marked = new Set(record.seen.flatMap(({ id, hash }) => (hash === undefined ? [id] : [])));
        const unmarked = ids.filter((id) => !marked.has(id));
        return withSeen(
          record,
          unmarked.map((id) => ({ id })),
        );
      });
      reporter.recovered("passing over");
    } catch {
      reporter.warnOnce("passing over", "a temporary run could not be marked on the disk; it is in memory");
    }
  }

  /** Forgets what could not be queued yet. Gives how many messages. */
  drop(belongs: (entry: WaitingEntry) => boolean): number {
    const kept = this.#unqueued.filter((entry) => !belongs(entry));
    const dropped = this.#unqueued.length - kept.length;
    this.#unqueued = kept;
    return dropped;
  }

  async #masked(messages: readonly ChatMessage[]): Promise<ChatMessage[]> {
    const { secretMark } = this.#parts;
    return Promise.all(
      messages.map(async (message) =>
        isSpoken(message) ? { ...message, text: await maskSecrets(message.text, secretMark) } : message,
      ),
    );
  }

  /** Distilled messages are in the session's record, the others in the queue. */
  async #seen(sessionId: string): Promise<SeenMessage[]> {
    const { store, reporter } = this.#parts;
    const waiting = [...this.#unqueued];
    let recorded: readonly SeenMessage[] = [];
    try {
      const [record, queued] = await Promise.all([
        store.sessions.read(sessionId),
        store.waiting.of(sessionId),
      ]);
      recorded = record?.seen ?? [];
      waiting.unshift(...queued);
      reporter.recovered("seen messages");
    } catch {
      reporter.warnOnce(
        "seen messages",
        "what was recorded before can't be read; a resumed turn may be recorded twice",
      );
    }
    return [
      ...recorded,
      ...waiting.filter(({ session }) => session === sessionId).map(({ id, text }) => seenMessage(id, text)),
    ];
  }

  async #append(entries: readonly WaitingEntry[]): Promise<void> {
    const { store, reporter } = this.#parts;
    const batch = [...this.#unqueued, ...entries];
    this.#unqueued = [];
    try {
      await store.waiting.append(batch);
      reporter.recovered("queue");
    } catch (error) {
      reporter.warnOnce(
        "queue",
        `a turn could not be queued (${faultName(error)}); it is kept and written with the next`,
      );
      this.#unqueued = this.#bounded([...batch, ...this.#unqueued]);
    }
  }

  /** The newest within the bound. */
  #bounded(entries: readonly WaitingEntry[]): WaitingEntry[] {
    let characters = 0;
    const first = entries.findLastIndex(({ text }) => {
      characters += codePointLength(text);
      return characters > this.#parts.maxWaitingChars;
    });
    return entries.slice(first + 1);
  }
}

const maxPassedOver = 10_000;

function isSpoken({ role }: ChatMessage): boolean {
  return role === "user" || role === "assistant";
}

function fingerprint(sessionId: string, { role, text }: ChatMessage): string {
  return createHash("sha256")
    .update(JSON.stringify([sessionId, role, text]))
    .digest("base64");
}
