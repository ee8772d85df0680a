import { rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { MemoryError, optionError, unknownOptionError } from "../errors.js";
import { safeName } from "../files/index.js";
import { checkLogger, type Logger, Reporter } from "../log.js";
import { type Candidate, readCandidate } from "./candidate.js";
import { JsonConversations } from "./json-conversations.js";
import { JsonEntryList } from "./json-entry-list.js";
import { JsonExtractionStates } from "./json-extraction-states.js";
import { JsonMemories } from "./json-memories.js";
import { JsonMemoryVectors } from "./json-memory-vectors.js";
import { JsonSessionRecords } from "./json-session-records.js";
import { JsonSettingsFile } from "./json-settings-file.js";
import { JsonWaitingQueue } from "./json-waiting-queue.js";
import type { MemoryStore } from "./memory-store.js";
import { type ReplacedMemory, readReplaced } from "./replaced-memory.js";

export interface JsonMemoryStoreOptions {
  /**
   * The folder that holds `memory/`, `chats/`, `users/` and `settings.json`. It is made with the first write. Relative to
   * the working directory at construction.
   */
  readonly dir: string;
  /**
   * Where a broken file is warned of.
   *
   * @default console
   */
  readonly logger?: Logger | undefined;
  /**
   * The clock, for the names of files that are moved aside.
   *
   * @default Date.now
   */
  readonly now?: (() => number) | undefined;
}

/**
 * One person's memories in files of a folder: written whole and atomically under an inter-process lock, or appended by one
 * write. Any number of processes may share the folder. Constructing touches no disk.
 *
 * @throws TypeError or RangeError (`code` `ERR_OPTION_…`) that names the option and what it takes.
 */
export class JsonMemoryStore implements MemoryStore {
  readonly memories: JsonMemories;
  readonly vectors: JsonMemoryVectors;
  readonly replaced: JsonEntryList<ReplacedMemory>;
  readonly candidates: JsonEntryList<Candidate>;
  readonly waiting: JsonWaitingQueue;
  readonly sessions: JsonSessionRecords;
  readonly conversations: JsonConversations;
  readonly settings: JsonSettingsFile;
  readonly extraction: JsonExtractionStates;
  readonly #dir: string;
  readonly #reporter: Reporter;
  readonly #now: () => number;

  constructor(options: JsonMemoryStoreOptions);
  /** @internal The store of a workspace reports with it. */
  constructor(options: JsonMemoryStoreOptions, reporter: Reporter);
  constructor(
    options: JsonMemoryStoreOptions,
    reporter = new Reporter(checkedOptions(options).logger ?? console),
  ) {
    const { now = Date.now } = options;
    const dir = resolve(options.dir);
    this.#dir = dir;
    this.#reporter = reporter;
    this.#now = now;
    const states = new JsonExtractionStates(join(dir, "memory", "extraction.json"));
    this.extraction = states;
    this.replaced = new JsonEntryList(
      join(dir, "memory", "history.json"),
      readReplaced,
      states,
      reporter,
      now,
    );
    this.candidates = new JsonEntryList(
      join(dir, "memory", "candidates.json"),
      readCandidate,
      states,
      reporter,
      now,
    );
    const memoriesPath = join(dir, "memory", "memory.json");
    this.vectors = new JsonMemoryVectors(join(dir, "memory", "vectors.json"), memoriesPath, () =>
      this.memories.read(),
    );
    this.memories = new JsonMemories(memoriesPath, this, reporter, now);
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
    const existed = await exists(directory);
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    return existed;
  }

  #userDirectory(userId: string): string {
    if (typeof userId !== "string" || userId === "") {
      throw new MemoryError("ERR_USER_INVALID", "userId must be a non-empty string");
    }
    return join(this.#dir, "users", safeName(userId));
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    // What can't be looked at for another reason can't be removed either: the removal will say why.
    return false;
  }
}

const optionNames = ["dir", "logger", "now"];

function checkedOptions(options: JsonMemoryStoreOptions): JsonMemoryStoreOptions {
  if (typeof options !== "object" || options === null) {
    throw optionError("ERR_OPTION_TYPE", "options", "an object with dir", options);
  }
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknown !== undefined) throw unknownOptionError(unknown, optionNames);
  const { dir, logger, now } = options;
  if (typeof dir !== "string") throw optionError("ERR_OPTION_TYPE", "dir", "a non-empty string", dir);
  if (dir === "") throw optionError("ERR_OPTION_RANGE", "dir", "a non-empty string", dir);
  if (logger !== undefined) checkLogger(logger);
  if (now !== undefined && typeof now !== "function") {
    throw optionError("ERR_OPTION_TYPE", "now", "a function that gives epoch milliseconds", now);
  }
  return options;
}
