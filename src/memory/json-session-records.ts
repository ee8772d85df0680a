import { CachedFile, readText, removeFile, withLock, writeAtomic } from "../files/index.js";
import { readSessionFiles, sessionFile } from "./json-session-files.js";
import type { SessionRecords } from "./memory-store.js";
import type { SeenMessage, SessionRecord } from "./session-record.js";

/** `chats/<session>.json`, one small file a session. */
export class JsonSessionRecords implements SessionRecords {
  readonly #directory: string;
  /** The sessions that spoke last: a turn reads its record again only where it has changed. */
  readonly #files = new Map<string, CachedFile<SessionRecord | undefined>>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async read(sessionId: string): Promise<SessionRecord | undefined> {
    const record = await this.#fileOf(sessionId).read();
    // A file copied under another name is not that session's.
    return record?.sessionId === sessionId ? record : undefined;
  }

  change(sessionId: string, change: (record: SessionRecord | undefined) => SessionRecord): Promise<void> {
    const path = this.#pathOf(sessionId);
    return withLock(path, async () => {
      await writeAtomic(path, `${JSON.stringify(change(await this.read(sessionId)))}\n`);
    });
  }

  async list(): Promise<readonly SessionRecord[]> {
    const read = async (path: string) => parseRecord(await readText(path));
    return readSessionFiles(this.#directory, ending, read, ({ sessionId }) => sessionId);
  }

  remove(sessionId: string): Promise<boolean> {
    const path = this.#pathOf(sessionId);
    return withLock(path, () => removeFile(path));
  }

  #fileOf(sessionId: string): CachedFile<SessionRecord | undefined> {
    const file = this.#files.get(sessionId) ?? new CachedFile(this.#pathOf(sessionId), parseRecord);
    this.#files.delete(sessionId);
    this.#files.set(sessionId, file);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= keptFiles) break;
      this.#files.delete(oldest);
    }
    return file;
  }

  #pathOf(sessionId: string): string {
    return sessionFile(this.#directory, sessionId, ending);
  }
}

const ending = ".json";
const keptFiles = 100;

/** A record that can't be read is as good as none: the queue still knows what waits, and the cursor is set anew. */
function parseRecord(text: string | undefined): SessionRecord | undefined {
  if (text === undefined) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const { sessionId, extractedUpTo, extractedAt, seen, summary, summaryUpTo } = parsed as Record<
    string,
    unknown
  >;
  if (typeof sessionId !== "string") return undefined;
  return {
    sessionId,
    seen: Array.isArray(seen) ? seen.filter(isSeenMessage) : [],
    ...(typeof extractedUpTo === "string" && { extractedUpTo }),
    ...(typeof extractedAt === "number" && { extractedAt }),
    ...(typeof summary === "string" && { summary }),
    ...(typeof summaryUpTo === "string" && { summaryUpTo }),
  };
}

function isSeenMessage(value: unknown): value is SeenMessage {
  if (typeof value !== "object" || value === null) return false;
  const { id, hash } = value as Record<string, unknown>;
  return typeof id === "string" && (hash === undefined || typeof hash === "string");
}
