import { createHash } from "node:crypto";
import type { BaseListChatMessageHistory } from "@langchain/core/chat_history";
import {
  type BaseMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
} from "@langchain/core/messages";
import type { Reporter } from "../log.js";
import type { ConversationEntry } from "./conversation-entry.js";
import type { Conversations } from "./memory-store.js";

/** A message of a session's history. */
export interface SessionMessage {
  /** Finds the message again, for the cursor of the rolling summary. */
  readonly key: string;
  readonly message: BaseMessage;
  /** Said while memory was off: in this process only, and in no summary. */
  readonly isPrivate: boolean;
}

/** The conversation of one session, wherever it is kept. */
export interface SessionHistory {
  read(): Promise<readonly SessionMessage[]>;
  /** @param isPrivate Keeps the messages in this process only. */
  add(messages: readonly BaseMessage[], isPrivate: boolean): Promise<void>;
  clear(): Promise<void>;
}

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

  constructor(sessionId: string, conversations: Conversations, randomUUID: () => string, reporter: Reporter) {
    this.#sessionId = sessionId;
    this.#conversations = conversations;
    this.#randomUUID = randomUUID;
    this.#reporter = reporter;
  }

  async read(): Promise<readonly SessionMessage[]> {
    const cause = `history ${this.#sessionId}`;
    try {
      const entries = await this.#conversations.read(this.#sessionId);
      if (entries !== this.#latest) this.#follow(entries);
      this.#latest = entries;
      this.#reporter.recovered(cause);
    } catch (error) {
      this.#reporter.warnOnce(cause, `the history of a session can't be read (${codeOf(error)})`);
    }
    return this.#messages;
  }

  async add(messages: readonly BaseMessage[], isPrivate: boolean): Promise<void> {
    const stored = mapChatMessagesToStoredMessages([...messages]);
    const entries = stored.map(
      (message): ConversationEntry => ({
        entryId: this.#randomUUID(),
        session: this.#sessionId,
        message,
      }),
    );
    this.#take(entries, isPrivate);
    if (!isPrivate) await this.#write(entries);
  }

  async clear(): Promise<void> {
    this.#messages = [];
    this.#latest = undefined;
    this.#unwritten.clear();
    await this.#conversations.remove(this.#sessionId);
  }

  /** Another process may have gone on with the session, or a person may have removed it. */
  #follow(entries: readonly ConversationEntry[]): void {
    const keys = new Set(entries.map(({ entryId }) => entryId));
    this.#messages = this.#messages.filter(
      ({ key, isPrivate }) => isPrivate || keys.has(key) || this.#unwritten.has(key),
    );
    const taken = new Set(this.#messages.map(({ key }) => key));
    this.#take(entries.filter(({ entryId }) => !taken.has(entryId)));
  }

  #take(entries: readonly ConversationEntry[], isPrivate = false): void {
    if (entries.length === 0) return;
    const messages = mapStoredMessagesToChatMessages(entries.map(({ message }) => message));
    for (const [index, { entryId }] of entries.entries()) {
      const message = messages[index];
      if (message === undefined) continue;
      this.#messages.push({ key: entryId, message, isPrivate });
    }
  }

  async #write(entries: readonly ConversationEntry[]): Promise<void> {
    for (const entry of entries) this.#unwritten.set(entry.entryId, entry);
    const batch = [...this.#unwritten.values()];
    const cause = `writing history ${this.#sessionId}`;
    try {
      await this.#conversations.append(this.#sessionId, batch);
      for (const { entryId } of batch) this.#unwritten.delete(entryId);
      this.#reporter.recovered(cause);
    } catch (error) {
      for (const key of [...this.#unwritten.keys()].slice(0, -maxUnwritten)) this.#unwritten.delete(key);
      this.#reporter.warnOnce(
        cause,
        `the history of a session can't be written (${codeOf(error)}); it is kept and written with the next turn`,
      );
    }
  }
}

const maxUnwritten = 1000;

/** A history of the app's own. What is private does not reach it. */
export class AppHistory implements SessionHistory {
  readonly #history: BaseListChatMessageHistory;
  #private: SessionMessage[] = [];

  constructor(history: BaseListChatMessageHistory) {
    this.#history = history;
  }

  async read(): Promise<readonly SessionMessage[]> {
    const messages = await this.#history.getMessages();
    const kept = messages.map((message) => ({ key: keyOf(message), message, isPrivate: false }));
    return [...kept, ...this.#private];
  }

  async add(messages: readonly BaseMessage[], isPrivate: boolean): Promise<void> {
    if (isPrivate) {
      this.#private.push(...messages.map((message) => ({ key: keyOf(message), message, isPrivate })));
    } else {
      await this.#history.addMessages([...messages]);
    }
  }

  async clear(): Promise<void> {
    this.#private = [];
    await this.#history.clear();
  }
}

function keyOf(message: BaseMessage): string {
  if (message.id !== undefined) return message.id;
  return createHash("sha256")
    .update(JSON.stringify([message.getType(), message.content]))
    .digest("base64url");
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "unknown reason";
}
