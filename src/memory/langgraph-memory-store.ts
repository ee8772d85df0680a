import { MemoryError, optionError, unknownOptionError } from "../errors.js";
import { type Candidate, readCandidate } from "./candidate.js";
import { isStoreLike, type LangGraphStoreLike, ownStore } from "./langgraph-base-store.js";
import { LangGraphConversations } from "./langgraph-conversations.js";
import { LangGraphEntryList } from "./langgraph-entry-list.js";
import { LangGraphExtractionStates } from "./langgraph-extraction-states.js";
import { LangGraphItems } from "./langgraph-items.js";
import { LangGraphMemories } from "./langgraph-memories.js";
import { LangGraphMemoryVectors } from "./langgraph-memory-vectors.js";
import { NowReader } from "./langgraph-now.js";
import { appOwner, placeOf, userOwner } from "./langgraph-place.js";
import { LangGraphSessionRecords } from "./langgraph-session-records.js";
import { LangGraphSettings } from "./langgraph-settings.js";
import { LangGraphWaitingQueue } from "./langgraph-waiting-queue.js";
import type { MemoryStore } from "./memory-store.js";
import { type ReplacedMemory, readReplaced } from "./replaced-memory.js";

export interface LangGraphMemoryStoreOptions {
  /**
   * The first labels of everything that is stored. Two apps in one base store take two namespaces. A label is not empty
   * and holds none of `. : % _ \`.
   *
   * @default ["cross-session-memory"]
   */
  readonly namespace?: readonly string[] | undefined;
  /**
   * How long one call of the base store may take, in milliseconds, before the conversation goes on without it.
   *
   * @default 10 000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * The clock, by which a dead process's lease runs out and what waits is ordered.
   *
   * @default Date.now
   */
  readonly now?: (() => number) | undefined;
}

/**
 * Memories in any LangGraph `BaseStore`, and so in PostgreSQL, MongoDB or wherever the app keeps its data: one item a
 * memory, and what waits, session records, histories, memory switch and limit beside it, so that any process on any
 * machine can take the next turn of any session. Constructing queries nothing.
 *
 * A `BaseStore` has no compare-and-set. In a race of two processes a part of what waits may be sent to the model twice;
 * no message is lost and no fact is stored twice.
 *
 * @throws TypeError or RangeError (`code` `ERR_OPTION_…`) that names the option and what it takes.
 * @example
 * const store = new LangGraphMemoryStore(PostgresStore.fromConnString(url));
 * const workspace = new MemoryWorkspace({ model, store });
 * const ofUser = workspace.forUser("user-1");
 */
export class LangGraphMemoryStore implements MemoryStore {
  readonly memories: LangGraphMemories;
  readonly vectors: LangGraphMemoryVectors;
  readonly replaced: LangGraphEntryList<ReplacedMemory>;
  readonly candidates: LangGraphEntryList<Candidate>;
  readonly waiting: LangGraphWaitingQueue;
  readonly sessions: LangGraphSessionRecords;
  readonly conversations: LangGraphConversations;
  readonly settings: LangGraphSettings;
  readonly extraction: LangGraphExtractionStates;
  readonly #items: LangGraphItems;
  readonly #root: readonly string[];
  readonly #owner: string;
  readonly #clock: () => number;

  constructor(baseStore: LangGraphStoreLike, options?: LangGraphMemoryStoreOptions);
  /** @internal The home of a user shares the items of the app's. */
  constructor(
    baseStore: LangGraphStoreLike,
    options: LangGraphMemoryStoreOptions,
    user: { readonly owner: string; readonly items: LangGraphItems },
  );
  constructor(
    baseStore: LangGraphStoreLike,
    options: LangGraphMemoryStoreOptions = {},
    user?: { readonly owner: string; readonly items: LangGraphItems },
  ) {
    const { namespace, timeoutMs, now } = checkedOptions(baseStore, options);
    const owner = user?.owner ?? appOwner;
    const items = user?.items ?? new LangGraphItems(ownStore(baseStore), timeoutMs);
    this.#items = items;
    this.#root = namespace;
    this.#owner = owner;
    this.#clock = now;
    const place = (...labels: string[]) => placeOf(namespace, owner, ...labels);
    const reader = new NowReader(items, place("now"));
    this.replaced = new LangGraphEntryList(reader, place("replaced"), readReplaced, now);
    this.candidates = new LangGraphEntryList(reader, place("candidates"), readCandidate, now);
    this.vectors = new LangGraphMemoryVectors(items, place("vectors"), () => this.memories.read());
    this.memories = new LangGraphMemories(reader, this, now);
    this.settings = new LangGraphSettings(reader);
    this.waiting = new LangGraphWaitingQueue(reader, now);
    this.sessions = new LangGraphSessionRecords(place("sessions"), reader);
    this.conversations = new LangGraphConversations(items, (...labels) => place("talk", ...labels), now);
    this.extraction = new LangGraphExtractionStates(
      reader,
      { state: place("state"), lease: place("lease") },
      now,
    );
  }

  forUser(userId: string): LangGraphMemoryStore {
    const options = { namespace: this.#root, now: this.#clock };
    return new LangGraphMemoryStore(this.#items.base, options, {
      owner: this.#ownerOf(userId),
      items: this.#items,
    });
  }

  async deleteUser(userId: string): Promise<boolean> {
    return (await this.#items.deleteAll(placeOf(this.#root, this.#ownerOf(userId)))) > 0;
  }

  #ownerOf(userId: string): string {
    if (typeof userId !== "string" || userId === "") {
      throw new MemoryError("ERR_USER_INVALID", "userId must be a non-empty string");
    }
    return userOwner(this.#owner, userId);
  }
}

const optionNames = ["namespace", "timeoutMs", "now"];

function checkedOptions(baseStore: unknown, options: LangGraphMemoryStoreOptions) {
  if (!isStoreLike(baseStore)) {
    throw optionError("ERR_OPTION_TYPE", "baseStore", "a LangGraph store", baseStore);
  }
  if (typeof options !== "object" || options === null) {
    throw optionError("ERR_OPTION_TYPE", "options", "an object", options);
  }
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknown !== undefined) throw unknownOptionError(unknown, optionNames);
  const { timeoutMs = 10_000, now = Date.now } = options;
  if (typeof timeoutMs !== "number") {
    throw optionError("ERR_OPTION_TYPE", "timeoutMs", "a number of milliseconds", timeoutMs);
  }
  if (!(timeoutMs >= 1 && timeoutMs <= 600_000)) {
    throw optionError("ERR_OPTION_RANGE", "timeoutMs", "from 1 to 600000", timeoutMs);
  }
  if (typeof now !== "function") {
    throw optionError("ERR_OPTION_TYPE", "now", "a function that gives epoch milliseconds", now);
  }
  return { namespace: checkedNamespace(options.namespace), timeoutMs, now };
}

const defaultNamespace = ["cross-session-memory"];

/** Joins labels in some stores, stands for anything in a search of others. */
const reserved = /[.:/%_\\\0]/;

function checkedNamespace(namespace: unknown = defaultNamespace): readonly string[] {
  const expected = "a non-empty array of labels, none of them empty or with any of . : / % _ \\";
  if (!Array.isArray(namespace)) throw optionError("ERR_OPTION_TYPE", "namespace", expected, namespace);
  const isUsable = (label: unknown) => typeof label === "string" && label !== "" && !reserved.test(label);
  if (namespace.length === 0 || !namespace.every(isUsable)) {
    throw optionError("ERR_OPTION_RANGE", "namespace", expected, namespace);
  }
  if (namespace[0] === "langgraph") {
    throw optionError("ERR_OPTION_RANGE", "namespace", "one whose first label is not langgraph", namespace);
  }
  return [...namespace];
}
