import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { MemoryError } from "../errors.js";
import { safeName } from "../files/index.js";
import { type Logger, Reporter } from "../log.js";
import { JsonConversations } from "./json-conversations.js";
import { JsonExtractionStates } from "./json-extraction-states.js";
import { JsonMemories } from "./json-memories.js";
import { JsonSessionRecords } from "./json-session-records.js";
import { JsonSettingsFile } from "./json-settings-file.js";
import { JsonWaitingQueue } from "./json-waiting-queue.js";
import type { MemoryStore } from "./memory-store.js";

export interface JsonMemoryStoreOptions {
  /** The folder that holds `memory/`, `chats/`, `users/` and `settings.json`. It is made with the first write. */
  readonly dir: string;
  /** Where a broken file is warned of. Default: `console`. */
  readonly logger?: Logger | undefined;
  /** The clock, for the names of files that are moved aside. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * One person's memories in files of a folder: written whole and atomically under an inter-process lock, or appended by one
 * write. Any number of processes may share the folder.
 */
export class JsonMemoryStore implements MemoryStore {
  readonly memories: JsonMemories;
  readonly waiting: JsonWaitingQueue;
  readonly sessions: JsonSessionRecords;
  readonly conversations: JsonConversations;
  readonly settings: JsonSettingsFile;
  readonly extraction: JsonExtractionStates;
  readonly #dir: string;
  readonly #reporter: Reporter;
  readonly #now: () => number;

  constructor(
    { dir, logger = console, now = Date.now }: JsonMemoryStoreOptions,
    reporter = new Reporter(logger),
  ) {
    this.#dir = dir;
    this.#reporter = reporter;
    this.#now = now;
    this.extraction = new JsonExtractionStates(join(dir, "memory", "extraction.json"));
    this.memories = new JsonMemories(join(dir, "memory", "memory.json"), this.extraction, reporter, now);
    this.waiting = new JsonWaitingQueue(join(dir, "memory", "waiting.jsonl"));
    this.sessions = new JsonSessionRecords(join(dir, "chats"));
    this.conversations = new JsonConversations(join(dir, "chats"));
    this.settings = new JsonSettingsFile(join(dir, "settings.json"), reporter, now);
  }

  forUser(userId: string): JsonMemoryStore {
    return new JsonMemoryStore({ dir: this.#userDirectory(userId), now: this.#now }, this.#reporter);
  }

  async deleteUser(userId: string): Promise<boolean> {
    const directory = this.#userDirectory(userId);
    const existed = await stat(directory).then(
      () => true,
      () => false,
    );
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    return existed;
  }

  #userDirectory(userId: string): string {
    if (userId === "") throw new MemoryError("ERR_USER_INVALID", "userId must not be empty");
    return join(this.#dir, "users", safeName(userId));
  }
}
