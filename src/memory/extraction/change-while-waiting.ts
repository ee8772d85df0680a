import type { MemoryStore } from "../memory-store.js";
import { emptySessionRecord, type SessionRecord } from "../session-record.js";
import type { WaitingEntry } from "../waiting-entry.js";

/**
 * Changes the record of the session that these messages belong to. A session that a person removed meanwhile doesn't come
 * back by it: a record that was made here goes again where none of the messages waits any more.
 */
export async function changeWhileWaiting(
  store: MemoryStore,
  messages: readonly WaitingEntry[],
  change: (record: SessionRecord) => SessionRecord,
): Promise<void> {
  const [first] = messages;
  if (first === undefined) return;
  const { session } = first;
  let isNew = false;
  await store.sessions.change(session, (record) => {
    isNew = record === undefined;
    return change(record ?? emptySessionRecord(session));
  });
  // Removing takes the messages out before it takes the record: who finds them here removes our record too.
  if (isNew && !(await anyWaits(store, messages))) await store.sessions.remove(session);
}

/** Whether any of these messages is still in the queue. */
export async function anyWaits(store: MemoryStore, messages: readonly WaitingEntry[]): Promise<boolean> {
  const entryIds = new Set(messages.map(({ entryId }) => entryId));
  return (await store.waiting.read()).some(({ entryId }) => entryIds.has(entryId));
}

/** In the order in which the sessions first speak. */
export function bySession(entries: readonly WaitingEntry[]): Map<string, WaitingEntry[]> {
  const sessions = new Map<string, WaitingEntry[]>();
  for (const entry of entries) {
    const messages = sessions.get(entry.session) ?? [];
    messages.push(entry);
    sessions.set(entry.session, messages);
  }
  return sessions;
}
