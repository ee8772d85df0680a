import { maxCandidates } from "../memory/candidate.js";
import { contentKey, type MemoryItem } from "../memory/memory-item.js";
import type { EntryList, MemoryCollection, MemoryStore } from "../memory/memory-store.js";
import { maxReplaced } from "../memory/replaced-memory.js";
import { isSeen, type SessionRecord } from "../memory/session-record.js";

/** What a copy moved: what was in the target before is not counted. */
export interface CopyCount {
  readonly memories: number;
  /** Memories that were replaced, of the history. */
  readonly replaced: number;
  /** Candidates that wait for a person. */
  readonly candidates: number;
  /** Messages that wait to be distilled. */
  readonly waiting: number;
  /** Session records. */
  readonly sessions: number;
  /** Messages of the histories that the library keeps. */
  readonly messages: number;
  /** Of memory switch and limit, those that were switched. */
  readonly settings: number;
}

export interface CopyProgress {
  /** Histories are counted whole, everything else one by one. */
  readonly part: "settings" | "memories" | "replaced" | "candidates" | "sessions" | "waiting" | "histories";
  /** How many of this part are in the target by now, those included that were there before. */
  readonly done: number;
  readonly total: number;
}

export interface CopyOptions {
  /** Called after each step. What it throws ends the copy, which may be run again. */
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
}

/** Anything with a home of memories: a workspace, or a user's. */
export interface CopyPlace {
  readonly store: MemoryStore;
}

/** So many messages are written at a time. */
const batchSize = 100;

/**
 * Copies everything of one person from one home to another, between files and LangGraph stores in either direction:
 * memories with their ids and times, those that were replaced, candidates, what waits, session records, histories, memory switch and limit. Rules and skills stay in
 * their folders, and users are copied one by one (`source.forUser(id)` to `target.forUser(id)`).
 *
 * Nothing is removed from the source, and what the target has stays: it may be run again after it broke off, or to bring
 * what came meanwhile, and doubles nothing. Rejects where a home can't be read or written.
 */
export async function copyWorkspace(
  source: CopyPlace,
  target: CopyPlace,
  options: CopyOptions = {},
): Promise<CopyCount> {
  const report = options.onProgress ?? (() => {});
  const [from, to] = [source.store, target.store];
  const settings = await copySettings(from, to, report);
  const memories = await copyMemories(from, to, report);
  const replaced = await copyEntries(from.replaced, to.replaced, maxReplaced);
  report({ part: "replaced", ...replaced.progress });
  const candidates = await copyEntries(from.candidates, to.candidates, maxCandidates);
  report({ part: "candidates", ...candidates.progress });
  await copyStates(from, to);
  // The records first: by them a message that the target has distilled since is known and not brought again.
  const sessions = await copySessions(from, to, report);
  const waiting = await copyWaiting(from, to, report);
  const messages = await copyConversations(from, to, report);
  return {
    memories,
    replaced: replaced.copied,
    candidates: candidates.copied,
    waiting,
    sessions,
    messages,
    settings,
  };
}

type Report = (progress: CopyProgress) => void;

async function copySettings(from: MemoryStore, to: MemoryStore, report: Report): Promise<number> {
  const [switched, former] = await Promise.all([from.settings.read(), to.settings.read()]);
  const missing = Object.entries(switched).filter(([name]) => !Object.hasOwn(former, name));
  if (missing.length > 0) await to.settings.change(Object.fromEntries(missing));
  const total = Object.keys(switched).length;
  report({ part: "settings", done: total, total });
  return missing.length;
}

async function copyMemories(from: MemoryStore, to: MemoryStore, report: Report): Promise<number> {
  const items = await wholeMemories(from.memories);
  const copied = await to.memories.change(({ items: former }) => {
    const ids = new Set(former.map(({ id }) => id));
    const keys = new Set(former.map(({ content }) => contentKey(content)));
    const missing = items.filter(({ id, content }) => !ids.has(id) && isFirst(keys, contentKey(content)));
    if (missing.length === 0) return { result: 0 };
    const all = [...former, ...missing].sort((left, right) => left.createdAt - right.createdAt);
    return { items: all, result: missing.length };
  });
  report({ part: "memories", done: items.length, total: items.length });
  return copied;
}

/** In the order of the source; what the target alone has is newer and comes behind. */
async function copyEntries<Entry extends MemoryItem>(
  from: EntryList<Entry>,
  to: EntryList<Entry>,
  max: number,
): Promise<{ copied: number; progress: { done: number; total: number } }> {
  const entries = await from.read();
  const progress = { done: entries.length, total: entries.length };
  if (entries.length === 0) return { copied: 0, progress };
  const copied = await to.change(({ entries: former }) => {
    const formerById = new Map(former.map((entry) => [entry.id, entry]));
    const ids = new Set(entries.map(({ id }) => id));
    const known = entries.map((entry) => formerById.get(entry.id) ?? entry);
    const all = [...known, ...former.filter(({ id }) => !ids.has(id))].slice(-max);
    const missing = all.filter(({ id }) => !formerById.has(id)).length;
    return { entries: missing > 0 ? all : undefined, result: missing };
  });
  return { copied, progress };
}

/** What was deleted must not be learned again from what waits; what learning has cost so far is known there too. */
async function copyStates(from: MemoryStore, to: MemoryStore): Promise<void> {
  const { forgotten, usage } = await from.extraction.read();
  if (forgotten === undefined && usage === undefined) return;
  await to.extraction.change((state) => ({
    ...state,
    ...(forgotten !== undefined && { forgotten: state.forgotten ?? forgotten }),
    ...(usage !== undefined && { usage: state.usage ?? usage }),
  }));
}

async function copySessions(from: MemoryStore, to: MemoryStore, report: Report): Promise<number> {
  const records = await from.sessions.list();
  const former = new Set((await to.sessions.list()).map(({ sessionId }) => sessionId));
  const missing = records.filter(({ sessionId }) => !former.has(sessionId));
  for (const [index, record] of missing.entries()) {
    // A record that the target has got meanwhile is the newer one.
    await to.sessions.change(record.sessionId, (newer) => newer ?? record);
    report({ part: "sessions", done: records.length - missing.length + index + 1, total: records.length });
  }
  return missing.length;
}

async function copyWaiting(from: MemoryStore, to: MemoryStore, report: Report): Promise<number> {
  const entries = await from.waiting.read();
  const former = new Set((await to.waiting.read()).map(({ entryId }) => entryId));
  const seenOf = await recordsOf(to, new Set(entries.map(({ session }) => session)));
  const seenAtHome = await recordsOf(from, new Set(entries.map(({ session }) => session)));
  const missing = entries.filter(({ entryId, session, id, text }) => {
    if (former.has(entryId)) return false;
    const message = { role: "user", id, text, callsTools: false } as const;
    const isDistilled = isSeen(seenOf.get(session)?.seen ?? [], message);
    return !isDistilled || isSeen(seenAtHome.get(session)?.seen ?? [], message);
  });
  let done = entries.length - missing.length;
  for (const batch of batches(missing)) {
    await to.waiting.append(batch);
    done += batch.length;
    report({ part: "waiting", done, total: entries.length });
  }
  return missing.length;
}

async function copyConversations(from: MemoryStore, to: MemoryStore, report: Report): Promise<number> {
  const sessions = await from.conversations.list();
  let copied = 0;
  for (const [index, session] of sessions.entries()) {
    const entries = await from.conversations.read(session);
    const former = new Set((await to.conversations.read(session)).map(({ entryId }) => entryId));
    const missing = entries.filter(({ entryId }) => !former.has(entryId));
    for (const batch of batches(missing)) await to.conversations.append(session, batch);
    copied += missing.length;
    report({ part: "histories", done: index + 1, total: sessions.length });
  }
  return copied;
}

function batches<Entry>(entries: readonly Entry[]): (readonly Entry[])[] {
  const count = Math.ceil(entries.length / batchSize);
  return Array.from({ length: count }, (_, index) =>
    entries.slice(index * batchSize, (index + 1) * batchSize),
  );
}

/** With the keys that we don't know, where the home gives them. */
function wholeMemories(memories: MemoryCollection): Promise<readonly MemoryItem[]> {
  const { readWhole } = memories as { readWhole?: () => Promise<readonly MemoryItem[]> };
  return readWhole === undefined ? memories.read() : readWhole.call(memories);
}

async function recordsOf(store: MemoryStore, sessions: ReadonlySet<string>) {
  const records = new Map<string, SessionRecord | undefined>();
  for (const session of sessions) records.set(session, await store.sessions.read(session));
  return records;
}

function isFirst(taken: Set<string>, key: string): boolean {
  if (taken.has(key)) return false;
  taken.add(key);
  return true;
}
