import { AppendLog, type LogPosition, removeFile, withLock } from "../files/index.js";
import type { ConversationEntry } from "./conversation-entry.js";
import { firstLine, readSessionFiles, sessionFile } from "./json-session-files.js";
import type { Conversations } from "./memory-store.js";

/** How many sessions' messages are kept in memory, so that a turn reads only what was appended since the last one. */
const keptSessions = 32;

/** `chats/<session>.jsonl`, one message a line. */
export class JsonConversations implements Conversations {
  readonly #directory: string;
  readonly #open = new Map<string, OpenConversation>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  append(sessionId: string, entries: readonly ConversationEntry[]): Promise<void> {
    return this.#conversation(sessionId).append(entries);
  }

  read(sessionId: string): Promise<readonly ConversationEntry[]> {
    return this.#conversation(sessionId).read();
  }

  list(): Promise<readonly string[]> {
    const read = (path: string) => firstLine(path, sessionOfLine);
    return readSessionFiles(this.#directory, ending, read, (sessionId) => sessionId);
  }

  remove(sessionId: string): Promise<boolean> {
    this.#open.delete(sessionId);
    const path = this.#pathOf(sessionId);
    return withLock(path, () => removeFile(path));
  }

  #conversation(sessionId: string): OpenConversation {
    const conversation =
      this.#open.get(sessionId) ?? new OpenConversation(this.#pathOf(sessionId), sessionId);
    this.#open.delete(sessionId);
    this.#open.set(sessionId, conversation);
    for (const oldest of [...this.#open.keys()].slice(0, -keptSessions)) this.#open.delete(oldest);
    return conversation;
  }

  #pathOf(sessionId: string): string {
    return sessionFile(this.#directory, sessionId, ending);
  }
}

const ending = ".jsonl";

class OpenConversation {
  readonly #log: AppendLog<ConversationEntry>;
  #entries: ConversationEntry[] = [];
  #position: LogPosition | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(path: string, sessionId: string) {
    this.#log = new AppendLog(path, (value) => parseConversationEntry(value, sessionId));
  }

  append(entries: readonly ConversationEntry[]): Promise<void> {
    return this.#log.append(entries);
  }

  async read(): Promise<readonly ConversationEntry[]> {
    const reading = this.#reading.then(() => this.#readNew());
    this.#reading = reading.catch(() => {
      // Whoever asked is told; the next one reads anew.
    });
    await reading;
    return this.#entries;
  }

  async #readNew(): Promise<void> {
    const { entries, position, restarted } = await this.#log.scan(this.#position);
    this.#position = position;
    // A new array each time: whoever holds the former one keeps what was read.
    if (restarted) this.#entries = entries;
    else if (entries.length > 0) this.#entries = [...this.#entries, ...entries];
  }
}

function parseConversationEntry(value: unknown, sessionId: string): ConversationEntry | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { entryId, session, message } = value as Partial<ConversationEntry>;
  if (typeof entryId !== "string" || session !== sessionId) return undefined;
  if (typeof message?.type !== "string") return undefined;
  if (typeof message.data !== "object" || message.data === null) return undefined;
  return { entryId, session, message };
}

/** A torn or foreign line says nothing. */
function sessionOfLine(line: string): string | undefined {
  try {
    const { session } = (JSON.parse(line) ?? {}) as { session?: unknown };
    return typeof session === "string" ? session : undefined;
  } catch {
    return undefined;
  }
}
