import type { Candidate } from "./candidate.js";
import type { ConversationEntry } from "./conversation-entry.js";
import type { Forgotten } from "./forgotten.js";
import type { MemoryItem } from "./memory-item.js";
import type { MemorySettings } from "./memory-settings.js";
import type { MemoryVectors } from "./memory-vectors.js";
import type { ReplacedMemory } from "./replaced-memory.js";
import type { SessionRecord } from "./session-record.js";
import type { DayUsage } from "./usage.js";
import type { WaitingEntry, WaitingTotals } from "./waiting-entry.js";

/**
 * The home of one user's memories and of all that is needed to learn them. `JsonMemoryStore` keeps it in files. A home of
 * your own implements these parts.
 *
 * Reads may reject where the home can't be reached: the conversation then goes on without memories.
 */
export interface MemoryStore {
  readonly memories: MemoryCollection;
  /** Memories whose place others have taken. */
  readonly replaced: EntryList<ReplacedMemory>;
  /** What was learned and waits for a person's yes. */
  readonly candidates: EntryList<Candidate>;
  readonly waiting: WaitingQueue;
  readonly sessions: SessionRecords;
  readonly conversations: Conversations;
  readonly settings: MemorySettingsStore;
  readonly extraction: ExtractionStates;
  /** Vectors of memories, for `relevantTo(embeddings)`. Without them each process makes its own. */
  readonly vectors?: MemoryVectors | undefined;
  /** The home of one of many users: nothing in it is ever seen from another's. */
  forUser(userId: string): MemoryStore;
  /** Removes everything of one user. Gives whether there was anything. */
  deleteUser(userId: string): Promise<boolean>;
}

export interface MemoryCollection {
  /** All usable memories, oldest first. */
  read(): Promise<readonly MemoryItem[]>;
  /** Reads, changes and writes as one step that no other process can come between. */
  change<Result>(change: (stored: StoredMemories) => MemoryChange<Result>): Promise<Result>;
  /**
   * Forgets all and begins a new generation, and then empties the lists of replaced memories and of candidates too. Gives
   * how many memories there were.
   */
  clear(): Promise<number>;
}

export interface StoredMemories {
  readonly items: readonly MemoryItem[];
  /** Grows with each `clear`, so that a result that was asked for earlier can be told and dropped. */
  readonly generation: number;
}

export interface MemoryChange<Result> {
  /** What is stored from now on; `undefined` leaves everything as it is. */
  readonly items?: readonly MemoryItem[] | undefined;
  /** What `items` holds no more since others took its place: added to the list of replaced memories, and before `items` is stored. */
  readonly replaced?: readonly ReplacedMemory[] | undefined;
  readonly result: Result;
}

/** A short list beside the memories, which no turn reads. Its entries are told apart by their ids. */
export interface EntryList<Entry extends MemoryItem> {
  /** In the order in which they were stored. */
  read(): Promise<readonly Entry[]>;
  /** Reads, changes and writes as one step that no other process can come between. */
  change<Result>(change: (stored: StoredEntries<Entry>) => EntryChange<Entry, Result>): Promise<Result>;
}

export interface StoredEntries<Entry extends MemoryItem> {
  readonly entries: readonly Entry[];
  /** That of the memories, as it is now: what belongs to an earlier one is not wanted any more. */
  readonly generation: number;
}

export interface EntryChange<Entry extends MemoryItem, Result> {
  /** What is stored from now on; `undefined` leaves everything as it is. */
  readonly entries?: readonly Entry[] | undefined;
  readonly result: Result;
}

export interface WaitingQueue {
  /**
   * Whether what is asked at one moment is answered by one query: then a turn asks for the totals with all else that it
   * needs, and not once more when it has ended. Default: false.
   */
  readonly answersTogether?: boolean;
  /** Acknowledged when it resolves: what was appended survives a killed process. */
  append(entries: readonly WaitingEntry[]): Promise<void>;
  /** All that waits, in the order in which it came. */
  read(): Promise<readonly WaitingEntry[]>;
  /** What waits of one session and has one of these message ids; asked at each turn whose messages have ids. */
  of(sessionId: string, messageIds: ReadonlySet<string>): Promise<readonly WaitingEntry[]>;
  /** How much waits, by session; cheap enough to be asked after each turn. */
  totals(): Promise<ReadonlyMap<string, WaitingTotals>>;
  /** Takes out exactly these, and nothing that is appended meanwhile. */
  remove(entryIds: ReadonlySet<string>): Promise<void>;
}

export interface SessionRecords {
  read(sessionId: string): Promise<SessionRecord | undefined>;
  change(sessionId: string, change: (record: SessionRecord | undefined) => SessionRecord): Promise<void>;
  list(): Promise<readonly SessionRecord[]>;
  /** Whether there was one. */
  remove(sessionId: string): Promise<boolean>;
}

/** The messages of sessions whose history the library keeps, appended and never changed. */
export interface Conversations {
  append(sessionId: string, entries: readonly ConversationEntry[]): Promise<void>;
  read(sessionId: string): Promise<readonly ConversationEntry[]>;
  /** The ids of all sessions that have one. */
  list(): Promise<readonly string[]>;
  /** Whether there was one. */
  remove(sessionId: string): Promise<boolean>;
}

export interface MemorySettingsStore {
  /** Only what a person switched. */
  read(): Promise<Partial<MemorySettings>>;
  change(patch: Partial<MemorySettings>): Promise<void>;
}

export interface ExtractionStates {
  read(): Promise<ExtractionState>;
  change(change: (state: ExtractionState) => ExtractionState): Promise<void>;
  /** The right to extract for this user; `undefined` while another holds it. */
  tryLease(): Promise<Lease | undefined>;
}

export interface Lease {
  release(): Promise<void>;
}

/**
 * What must outlive the process for the next attempt to be a wiser one. A home stores it as a whole, with what it doesn't
 * know itself.
 */
export interface ExtractionState {
  readonly generation: number;
  /** How often in a row the part that begins with `failingEntryId` failed for what it holds. */
  readonly contentFailures: number;
  /** `entryId` of the first message of that part; absent where none has failed. */
  readonly failingEntryId?: string | undefined;
  /** How often the list of known memories was halved for it. */
  readonly halvings: number;
  /** The next part holds at most this many messages. */
  readonly partMessages?: number | undefined;
  /** What learning cost, by day, oldest first. */
  readonly usage?: readonly DayUsage[] | undefined;
  /** What a person deleted, as salted hashes. */
  readonly forgotten?: Forgotten | undefined;
}

export const initialExtractionState: ExtractionState = { generation: 0, contentFailures: 0, halvings: 0 };
