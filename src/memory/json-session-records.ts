import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readText, removeFile, safeName, withLock, writeAtomic } from "../files/index.js";
import type { SessionRecords } from "./memory-store.js";
import type { SeenMessage, SessionRecord } from "./session-record.js";

/** `chats/<session>.json`, one small file a session. */
export class JsonSessionRecords implements SessionRecords {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async read(sessionId: string): Promise<SessionRecord | undefined> {
    const record = parseRecord(await readText(this.#pathOf(sessionId)));
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
    const names = await recordNames(this.#directory);
    const records: (SessionRecord | undefined)[] = [];
    for (let from = 0; from < names.length; from += filesAtATime) {
      const batch = names.slice(from, from + filesAtATime);
      records.push(...(await Promise.all(batch.map((name) => this.#readListed(name)))));
    }
    return records.filter((record) => record !== undefined);
  }

  remove(sessionId: string): Promise<boolean> {
    const path = this.#pathOf(sessionId);
    return withLock(path, () => removeFile(path));
  }

  async #readListed(name: string): Promise<SessionRecord | undefined> {
    const record = parseRecord(await readText(join(this.#directory, name)));
    return record !== undefined && name === nameOf(record.sessionId) ? record : undefined;
  }

  #pathOf(sessionId: string): string {
    return join(this.#directory, nameOf(sessionId));
  }
}

/** So many are read at a time: ten thousand sessions must not use up the file handles of the process. */
const filesAtATime = 64;

function nameOf(sessionId: string): string {
  return `${safeName(sessionId)}.json`;
}

async function recordNames(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(".json") && !entry.name.startsWith("."))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

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
