import { createHash } from "node:crypto";
import { faultName } from "../errors.js";
import type { Reporter } from "../log.js";
import type { ChatMessage } from "../messages/chat-message.js";
import { codePointLength } from "../text/index.js";
import { bySession, changeWhileWaiting } from "./extraction/change-while-waiting.js";
import type { MemoryStore } from "./memory-store.js";
import { newMessages, readLastTurn } from "./new-messages.js";
import { maskSecrets } from "./secrets/index.js";
import { emptySessionRecord, isSeen, type SeenMessage, seenMessages, withSeen } from "./session-record.js";
import type { WaitingEntry } from "./waiting-entry.js";

export interface RecorderParts {
  readonly store: MemoryStore;
  readonly now: () => number;
  readonly randomUUID: () => string;
  readonly reporter: Reporter;
  /** Stands where a credential stood. */
  readonly secretMark: string;
  /** Whether the assistant's words of a turn in which a tool returned text are recorded. */
  readonly toolTurns: "include" | "user-only";
  /** Code points that are kept in memory where the queue can't be written. */
  readonly maxWaitingChars: number;
  /** Runs what a turn doesn't wait for. */
  readonly inBackground: (work: () => Promise<void>) => void;
}

export interface KnownMessages {
  /** Distilled ones. */
  readonly seen: readonly SeenMessage[];
  readonly waiting: readonly WaitingEntry[];
}

export interface RecordedTurn {
  /** How many messages were new. */
  readonly messages: number;
  /** What went into the queue: these, and what could not be written before. */
  readonly queued: readonly WaitingEntry[];
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

  /**
   * Reads what is known of a session, to be handed to {@link record}: for whoever asks the store for more at this moment,
   * so that it can answer by one query. Never rejects.
   */
  async known(sessionId: string, lastTurn: readonly ChatMessage[]): Promise<KnownMessages> {
    const ids = new Set(lastTurn.flatMap(({ id }) => id ?? []));
    // Without ids nothing can be known.
    if (ids.size === 0) return { seen: [], waiting: [] };
    const { store, reporter } = this.#parts;
    const waiting = this.#unqueued.filter(({ session }) => session === sessionId);
    try {
      const [record, queued] = await Promise.all([
        store.sessions.read(sessionId),
        store.waiting.of(sessionId, ids),
      ]);
      reporter.recovered("seen messages");
      return { seen: record?.seen ?? [], waiting: [...queued, ...waiting] };
    } catch {
      reporter.warnOnce(
        "seen messages",
        "what was recorded before can't be read; a resumed turn may be recorded twice",
      );
      return { seen: [], waiting };
    }
  }

  /** Resolves when the turn is acknowledged. */
  async record(
    sessionId: string,
    spoken: readonly ChatMessage[],
    known: Promise<KnownMessages>,
  ): Promise<RecordedTurn> {
    const lastTurn = await this.#masked(spoken);
    const isRecorded = await recordedIn(
      known,
      newMessages(lastTurn, () => false),
    );
    const isKnown = (message: ChatMessage) => isRecorded(message) || this.#isPassedOver(sessionId, message);
    const { now, randomUUID } = this.#parts;
    const time = now();
    const entries = this.#wanted(newMessages(lastTurn, isKnown), lastTurn).map(
      ({ id, role, text }): WaitingEntry => ({
        entryId: randomUUID(),
        session: sessionId,
        id: id ?? randomUUID(),
        role: role === "user" ? "user" : "assistant",
        time,
        text,
      }),
    );
    return { messages: entries.length, queued: entries.length > 0 ? await this.#append(entries) : [] };
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

  #isPassedOver(sessionId: string, message: ChatMessage): boolean {
    return this.#passedOver.size > 0 && this.#passedOver.has(fingerprint(sessionId, message));
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

  /** Forgets what could not be queued yet, and gives it. */
  drop(belongs: (entry: WaitingEntry) => boolean): readonly WaitingEntry[] {
    const dropped = this.#unqueued.filter(belongs);
    this.#unqueued = this.#unqueued.filter((entry) => !belongs(entry));
    return dropped;
  }

  /** Takes messages out of the queue, and marks them as seen before: a resumed turn must not bring them back. */
  async takeOut(entries: readonly WaitingEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const { store, reporter } = this.#parts;
    // The last to speak are those that may be resumed; ten thousand sessions would take minutes.
    const sessions = [...bySession(entries).values()].slice(-maxMarkedSessions);
    try {
      await changeWhileWaiting(store, sessions, (record, messages) =>
        withSeen(record, seenMessages(messages)),
      );
      reporter.recovered("marking as seen");
    } catch {
      reporter.warnOnce(
        "marking as seen",
        "messages that were taken out of the queue can't be marked; a resumed turn may record them again",
      );
    }
    await store.waiting.remove(new Set(entries.map(({ entryId }) => entryId)));
  }

  async #masked(messages: readonly ChatMessage[]): Promise<ChatMessage[]> {
    const { secretMark } = this.#parts;
    const masked: ChatMessage[] = [];
    for (const message of messages) {
      if (!isSpoken(message)) masked.push(message);
      else masked.push({ ...message, text: await maskSecrets(message.text, secretMark) });
    }
    return masked;
  }

  /** Text that a tool returned may come from anybody, and the answer may hold it: an app can have it left out. */
  #wanted(messages: readonly ChatMessage[], lastTurn: readonly ChatMessage[]): readonly ChatMessage[] {
    if (this.#parts.toolTurns === "include") return messages;
    const hasToolText = lastTurn.some(({ role, text }) => role === "tool" && text.trim() !== "");
    return hasToolText ? messages.filter(({ role }) => role === "user") : messages;
  }

  /** Gives what the queue holds now that it didn't before. */
  async #append(entries: readonly WaitingEntry[]): Promise<readonly WaitingEntry[]> {
    const { store, reporter } = this.#parts;
    const batch = [...this.#unqueued, ...entries];
    this.#unqueued = [];
    try {
      await store.waiting.append(batch);
      reporter.recovered("queue");
      return batch;
    } catch (error) {
      reporter.warnOnce(
        "queue",
        `a turn could not be queued (${faultName(error)}); it is kept and written with the next`,
      );
      this.#unqueued = this.#bounded([...batch, ...this.#unqueued]);
      return [];
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

/** Tells what was recorded before: distilled messages are in the session's record, the others in the queue. */
async function recordedIn(
  known: Promise<KnownMessages>,
  candidates: readonly ChatMessage[],
): Promise<(message: ChatMessage) => boolean> {
  const ids = new Set(candidates.flatMap(({ id }) => id ?? []));
  if (ids.size === 0) return () => false;
  const { seen, waiting } = await known;
  const same = waiting.filter(({ id }) => ids.has(id));
  return (message) =>
    isSeen(seen, message) || same.some(({ id, text }) => id === message.id && text === message.text);
}

const maxPassedOver = 10_000;
const maxMarkedSessions = 100;

function isSpoken({ role }: ChatMessage): boolean {
  return role === "user" || role === "assistant";
}

function fingerprint(sessionId: string, { role, text }: ChatMessage): string {
  return createHash("sha256")
    .update(JSON.stringify([sessionId, role, text]))
    .digest("base64");
}
