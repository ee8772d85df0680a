import { createHash } from "node:crypto";
import type { BaseListChatMessageHistory } from "@langchain/core/chat_history";
import type { BaseMessage } from "@langchain/core/messages";
import type { SessionHistory, SessionMessage } from "./session-history.js";

/** A history of the app's own. What is private does not reach it. */
export class AppHistory implements SessionHistory {
  readonly #history: BaseListChatMessageHistory;
  /** What was said while memory was off, behind so many messages of the app's history. */
  #private: { readonly behind: number; readonly message: SessionMessage }[] = [];

  constructor(history: BaseListChatMessageHistory) {
    this.#history = history;
  }

  async read(): Promise<readonly SessionMessage[]> {
    const messages = withKeys(await this.#history.getMessages());
    // From the last to the first: what is put in must not shift the places of the others.
    for (const { behind, message } of this.#private.toReversed()) messages.splice(behind, 0, message);
    return messages;
  }

  async add(messages: readonly BaseMessage[], isPrivate: boolean): Promise<void> {
    if (!isPrivate) return this.#history.addMessages([...messages]);
    const behind = (await this.#history.getMessages()).length;
    for (const message of messages) {
      this.#private.push({ behind, message: { key: "", message, isPrivate } });
    }
  }

  async clear(): Promise<void> {
    this.#private = [];
    await this.#history.clear();
  }
}

/** Only the rolling summary asks for keys, and making them costs a hash of the whole history. */
function withKeys(messages: readonly BaseMessage[]): SessionMessage[] {
  let keys: readonly string[] | undefined;
  return messages.map((message, index) => ({
    message,
    isPrivate: false,
    get key() {
      keys ??= keysOf(messages);
      return keys[index] ?? "";
    },
  }));
}

const neighbours = 4;

/**
 * A key is made of a message and those right before it, and of how often these stood there before. Ids won't do, since
 * some servers give every reply the same; the place alone won't, since some histories let go of their oldest messages;
 * nor the text alone, since people say "yes" more than once.
 */
function keysOf(messages: readonly BaseMessage[]): string[] {
  const hashes = messages.map((message) => hash([message.getType(), message.content]));
  const counts = new Map<string, number>();
  return hashes.map((_, index) => {
    const key = hash(hashes.slice(Math.max(0, index + 1 - neighbours), index + 1));
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return `${key}:${count}`;
  });
}

function hash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}
