import type { MemoryStore } from "../memory-store.js";
import { emptySessionRecord, type SessionRecord } from "../session-record.js";
import type { WaitingEntry } from "../waiting-entry.js";

/**
 * Changes the records of sessions, each given by messages of it. One that a person removed meanwhile doesn't come back by
 * it: a record that was made here goes again where none of its messages waits any more. That is looked up once for all of
 * them: reading a queue of tens of thousands for each of hundreds of sessions took minutes.
 */
export async function changeWhileWaiting(
  store: MemoryStore,
  sessions: Iterable<readonly WaitingEntry[]>,
  change: (record: SessionRecord, messages: readonly WaitingEntry[]) => SessionRecord,
): Promise<void> {
  const made: (readonly WaitingEntry[])[] = [];
  for (const messages of sessions) {
    const session = messages[0]?.session;
    if (session === undefined) continue;
    let isNew = false;
    await store.sessions.change(session, (record) => {
      isNew = record === undefined;
      return change(record ?? emptySessionRecord(session), messages);
    });
    if (isNew) made.push(messages);
  }
  // Removing takes the messages out before it takes the record: who finds them here removes our record too.
  const waiting = made.length === 0 ? new Set<string>() : await waitingIds(store);
  for (const messages of made) {
    const [first] = messages;
    const isWanted = messages.some(({ entryId }) => waiting.has(entryId));
    if (first !== undefined && !isWanted) await store.sessions.remove(first.session);
  }
}

/** Whether any of these messages is still in the queue. */
export async function anyWaits(store: MemoryStore, messages: readonly WaitingEntry[]): Promise<boolean> {
  const waiting = await waitingIds(store);
  return messages.some(({ entryId }) => waiting.has(entryId));
}

async function waitingIds(store: MemoryStore): Promise<ReadonlySet<string>> {
  return new Set((await store.waiting.read()).map(({ entryId }) => entryId));
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
