import { createHash } from "node:crypto";
import type { ChatMessage } from "../messages/chat-message.js";

/** What is remembered of a session itself, in `chats/<session>.json`: small and bounded, whatever the session's length. */
export interface SessionRecord {
  readonly sessionId: string;
  /** The cursor: id of the last message that was distilled. */
  readonly extractedUpTo?: string | undefined;
  /** Epoch milliseconds of the last extraction that covered this session. */
  readonly extractedAt?: number | undefined;
  /** The last messages that were recorded or passed over, oldest first. */
  readonly seen: readonly SeenMessage[];
  readonly summary?: string | undefined;
  /** Id of the last message that the rolling summary covers. */
  readonly summaryUpTo?: string | undefined;
}

export interface SeenMessage {
  readonly id: string;
  /** Absent for a message of a temporary run, of which nothing but the id may be kept. */
  readonly hash?: string | undefined;
}

const maxSeen = 64;

export function emptySessionRecord(sessionId: string): SessionRecord {
  return { sessionId, seen: [] };
}

export function withSeen(record: SessionRecord, seen: readonly SeenMessage[]): SessionRecord {
  return seen.length === 0 ? record : { ...record, seen: [...record.seen, ...seen].slice(-maxSeen) };
}

export function seenMessages(
  messages: readonly { readonly id: string; readonly text: string }[],
): SeenMessage[] {
  return messages.map(({ id, text }) => ({ id, hash: messageHash(id, text) }));
}

/** Same id and same text, or an id of which nothing but the id was kept. An edited message is a new one. */
export function isSeen(seen: readonly SeenMessage[], message: ChatMessage): boolean {
  const { id, text } = message;
  if (id === undefined) return false;
  const sameId = seen.filter((one) => one.id === id);
  if (sameId.length === 0) return false;
  const hash = messageHash(id, text);
  return sameId.some((one) => one.hash === undefined || one.hash === hash);
}

/** Tells an edited message from an unchanged one; the id is its salt, so that equal words don't show as equal. */
function messageHash(id: string, text: string): string {
  return createHash("sha256").update(id).update("\0").update(text).digest("base64url").slice(0, 16);
}
