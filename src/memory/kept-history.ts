import {
  type BaseMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
} from "@langchain/core/messages";
import type { Reporter } from "../log.js";
import type { ConversationEntry } from "./conversation-entry.js";
import type { Conversations } from "./memory-store.js";
import type { SessionHistory, SessionMessage } from "./session-history.js";

const maxUnwritten = 1000;

/** The history that the library keeps: appended to, never rewritten, so that a restarted process goes on with it. */
export class KeptHistory implements SessionHistory {
  readonly #sessionId: string;
  readonly #conversations: Conversations;
  readonly #randomUUID: () => string;
  readonly #reporter: Reporter;
  /** In the order in which they were said, those included that no file holds. */
  #messages: SessionMessage[] = [];
  #latest: readonly ConversationEntry[] | undefined;
  /** What is being written or could not be written yet, by its key: written with the next turn. */
  readonly #unwritten = new Map<string, ConversationEntry>();
  /** One at a time: a read that began before a write would take what was just said for removed. */
  #line: Promise<unknown> = Promise.resolve();

  constructor(sessionId: string, conversations: Conversations, randomUUID: () => string, reporter: Reporter) {
    this.#sessionId = sessionId;
    this.#conversations = conversations;
    this.#randomUUID = randomUUID;
    this.#reporter = reporter;
  }

  read(): Promise<readonly SessionMessage[]> {
    return this.#inLine(async () => {
      const cause = `history ${this.#sessionId}`;
      try {
        const entries = await this.#conversations.read(this.#sessionId);
        if (entries !== this.#latest) this.#follow(entries);
        this.#latest = entries;
        this.#reporter.recovered(cause);
      } catch (error) {
        this.#reporter.warnOnce(
          cause,
          `the history of a session can't be read (${codeOf(error)}); going on with what this process knows of it`,
        );
      }
      return this.#messages;
    });
  }

  async add(messages: readonly BaseMessage[], isPrivate: boolean): Promise<void> {
    const entries = mapChatMessagesToStoredMessages([...messages]).map(
      (message): ConversationEntry => ({
        entryId: this.#randomUUID(),
        session: this.#sessionId,
        message,
      }),
    );
    for (const entry of entries) {
      const message = sessionMessage(entry, isPrivate);
      if (message !== undefined) this.#messages.push(message);
    }
    if (isPrivate) return;
    for (const entry of entries) this.#unwritten.set(entry.entryId, entry);
    await this.#inLine(() => this.#write());
  }

  clear(): Promise<void> {
    return this.#inLine(async () => {
      this.#messages = [];
      this.#latest = undefined;
      this.#unwritten.clear();
      await this.#conversations.remove(this.#sessionId);
    });
  }

  /** Another process may have gone on with the session, or a person may have removed it: the file has the order. */
  #follow(entries: readonly ConversationEntry[]): void {
    const inFile = new Set(entries.map(({ entryId }) => entryId));
    const known = new Map<string, SessionMessage>();
    const unwritten: string[] = [];
    /** What was said in private, by the message behind which it was said. */
    const privateBehind = new Map<string, SessionMessage[]>();
    let behind = "";
    for (const message of this.#messages) {
      const { key, isPrivate } = message;
      if (isPrivate) {
        privateBehind.set(behind, [...(privateBehind.get(behind) ?? []), message]);
      } else if (inFile.has(key) || this.#unwritten.has(key)) {
        known.set(key, message);
        if (!inFile.has(key)) unwritten.push(key);
        behind = key;
      }
    }
    const followed = [...(privateBehind.get("") ?? [])];
    const place = (key: string, message: SessionMessage | undefined) => {
      if (message !== undefined) followed.push(message);
      followed.push(...(privateBehind.get(key) ?? []));
    };
    for (const entry of entries)
      place(entry.entryId, known.get(entry.entryId) ?? sessionMessage(entry, false));
    for (const key of unwritten) place(key, known.get(key));
    this.#messages = followed;
  }

  async #write(): Promise<void> {
    const batch = [...this.#unwritten.values()];
    if (batch.length === 0) return;
    const cause = `writing history ${this.#sessionId}`;
    try {
      await this.#conversations.append(this.#sessionId, batch);
      for (const { entryId } of batch) this.#unwritten.delete(entryId);
      // What is in the file now is the file's to tell: it may be removed before it is ever read here.
      this.#latest = undefined;
      this.#reporter.recovered(cause);
    } catch (error) {
      for (const key of [...this.#unwritten.keys()].slice(0, -maxUnwritten)) this.#unwritten.delete(key);
      this.#reporter.warnOnce(
        cause,
        `the history of a session can't be written (${codeOf(error)}); it is kept and written with the next turn`,
      );
    }
  }

  #inLine<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#line.then(work);
    this.#line = done.catch(() => {
      // Its caller is told; the next in line goes on.
    });
    return done;
  }
}

/** `undefined` for a line that was written by hand, or by a later LangChain: it must not cost the others. */
function sessionMessage(
  { entryId, message: stored }: ConversationEntry,
  isPrivate: boolean,
): SessionMessage | undefined {
  try {
    const [message] = mapStoredMessagesToChatMessages([stored]);
    return message && { key: entryId, message, isPrivate };
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "unknown reason";
}
