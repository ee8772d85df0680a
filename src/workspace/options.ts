import type { LocaleName } from "../locales/index.js";
import type { Logger } from "../log.js";
import type { ChatModel } from "../memory/extraction/chat-model.js";
import type { MemoryStore } from "../memory/memory-store.js";
import type { NamedSelection, SelectMemories } from "../selection/index.js";

/** Everything has a default but the model; without a model memories are injected and nothing is learned. */
export interface WorkspaceOptions {
  /**
   * The folder of rules, skills, memories, sessions and settings. Made when it is first needed; relative to the working
   * directory at construction.
   *
   * @default "./ai"
   */
  readonly dir?: string | undefined;
  /**
   * The chat model that distils memories, in the background. A small and cheap one will do; give it a `maxRetries` of
   * its own.
   *
   * @default none: memories are injected and nothing is learned
   */
  readonly model?: ChatModel | undefined;
  /**
   * The language of every text that the model or a person reads, memories included.
   *
   * @default "zh-CN"
   */
  readonly locale?: LocaleName | undefined;
  /**
   * Whether memories are injected and learned, until the user switches it (`aiMemoryEnabled` in `settings.json`).
   *
   * @default true
   */
  readonly enabled?: boolean | undefined;
  /**
   * How many memories are kept, from 10 to 1000; the oldest go first. `aiMemoryLimit` in `settings.json` wins.
   *
   * @default 100
   */
  readonly limit?: number | undefined;
  /**
   * UTF-8 bytes of the memory segment, from 256 to 1 MiB.
   *
   * @default 8192
   */
  readonly memoryBudget?: number | undefined;
  /**
   * Which memories are in the prompt where not all fit `memoryBudget`; pinned ones always are. `"newest"` drops the oldest.
   * `"relevant"` keeps those that matter for what the user says now, by its words in any language, with a share for the
   * newest; within a session they change only where something is asked for. `relevantTo(embeddings)` goes by meaning too.
   * A function gets the memories, oldest first, and `{ query, budgetBytes }`, and gives those to keep, the first ones first;
   * it is asked before each model call, which waits for it.
   *
   * @default "newest"
   */
  readonly selection?: NamedSelection | SelectMemories | undefined;
  /**
   * UTF-8 bytes of all rules, and again of all skills, from 256 to 1 MiB.
   *
   * @default 16_384
   */
  readonly assetBudget?: number | undefined;
  /**
   * UTF-8 bytes of one rule or skill file, from 256 to 1 MiB; what comes after is not read.
   *
   * @default 8192
   */
  readonly assetFileBudget?: number | undefined;
  /**
   * UTF-8 bytes of the plan, from 256 to 1 MiB.
   *
   * @default 2048
   */
  readonly planBudget?: number | undefined;
  /**
   * One budget in UTF-8 bytes for rules and skills together, from 256 to 1 MiB, in place of `assetBudget`.
   *
   * @default none: each class has its own
   */
  readonly sharedAssetBudget?: number | undefined;
  /**
   * Code points of new conversation after which an extraction starts, from 1 to 1 000 000.
   *
   * @default 4000
   */
  readonly extractionTriggerChars?: number | undefined;
  /**
   * Code points of conversation in one request at most, from the trigger to 1 000 000.
   *
   * @default 24_000
   */
  readonly extractionChunkChars?: number | undefined;
  /**
   * Code points of known memories in one request at most, from 1 to 1 000 000; the newest are sent.
   *
   * @default 16_000
   */
  readonly extractionKnownChars?: number | undefined;
  /**
   * Milliseconds for one extraction attempt with the model's own retries, from 1 to 1 000 000.
   *
   * @default 180_000
   */
  readonly extractionTimeoutMs?: number | undefined;
  /**
   * Code points that may wait to be distilled, from 1 to 1 000 000 000; beyond it the oldest are passed over, with a
   * warning that counts them. Below `extractionTriggerChars` nothing is ever learned by itself.
   *
   * @default 2_000_000
   */
  readonly maxWaitingChars?: number | undefined;
  /**
   * Extractions that may run at once in this process, over all users, from 1 to 1000.
   *
   * @default 4
   */
  readonly maxConcurrentExtractions?: number | undefined;
  /**
   * Extractions that a model may be asked for in one day (the local date of this process), from 1 to 1 000 000, for each
   * user and over all processes that share the folder or the store. Beyond it nothing is learned until the next day, with
   * one warning; what waits is kept. An extraction is one request, at most two.
   *
   * @default none
   */
  readonly maxExtractionsPerDay?: number | undefined;
  /**
   * At a completed turn, also distil what waits from sessions that have been still for `afterMs` milliseconds, once it is
   * `minChars` code points in all.
   *
   * @default off
   */
  readonly idleExtraction?: { readonly afterMs: number; readonly minChars: number } | undefined;
  /**
   * What is learned from in a turn in which a tool returned text, which may come from anybody: `"include"` takes what the
   * user and the assistant said, as everywhere; `"user-only"` leaves out what the assistant said in it. What a tool
   * returned is never sent.
   *
   * @default "include"
   */
  readonly toolTurns?: "include" | "user-only" | undefined;
  /**
   * `"auto"` asks for structured output where the model has it and for plain JSON elsewhere; `"off"` always asks for plain
   * JSON.
   *
   * @default "auto"
   */
  readonly structuredOutput?: "auto" | "off" | undefined;
  /**
   * Whether a newly learned fact may take the place of memories that it makes untrue (moved, changed jobs, prefers another
   * editor). The extractor then sees them numbered and may say which. Never replaced is what a person wrote, corrected or
   * pinned, and nothing at all by a reply that names more than a fifth of the memories at once (two it may always name).
   * What was replaced is kept by `memories.history()`, the newest 200 of it, and brought back by `memories.restore(id)`.
   *
   * @default false: new facts join the old ones
   */
  readonly consolidate?: boolean | undefined;
  /**
   * Whether what is learned waits as a candidate, in no prompt, until a person accepts it: `candidates.list()`, `accept(id)`,
   * `reject(id)`. At most 200 wait; beyond it the oldest go, with one warning. What is remembered on request is not held up.
   *
   * @default false: what is learned is remembered at once
   */
  readonly review?: boolean | undefined;
  /**
   * Whether what is learned, or remembered by the tool `remember`, is not stored where it only says what a memory says in other
   * words. Told without a model, by words and numbers, and rather too carefully: a denial, a number, another name or thing
   * makes two facts of it. What a person adds is always stored.
   *
   * @default false
   */
  readonly nearDuplicates?: boolean | undefined;
  /**
   * Another home for memories, what waits, sessions and the memory switch.
   *
   * @default files under `dir`
   */
  readonly store?: MemoryStore | undefined;
  /**
   * Takes warnings and errors, each once for each cause, never with what a user wrote. Its own failures are swallowed.
   *
   * @default console
   */
  readonly logger?: Logger | undefined;
}
