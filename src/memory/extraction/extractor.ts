import { faultName } from "../../errors.js";
import type { ExtractionTexts } from "../../locales/index.js";
import type { Reporter } from "../../log.js";
import { codePointLength } from "../../text/index.js";
import { deletionTimes } from "../forgotten.js";
import type { ExtractionState, Lease, MemoryStore } from "../memory-store.js";
import type { DayUsage } from "../usage.js";
import type { WaitingEntry } from "../waiting-entry.js";
import { AnsweredParts } from "./answered-parts.js";
import { Causes } from "./causes.js";
import { anyWaits } from "./change-while-waiting.js";
import type { ChatModel } from "./chat-model.js";
import { type ExtractionFailure, passingFailure } from "./failure.js";
import { knownMemories } from "./known-memories.js";
import { toMemories } from "./learned-memories.js";
import type { ExtractionModelCall } from "./model-call.js";
import { type PartMessage, takePart } from "./part.js";
import { countPartFailure, limitsFor } from "./part-failures.js";
import { buildRequest, lineRenderer, numberSessions } from "./request.js";
import { UsageBook } from "./usage-book.js";

export interface ExtractorOptions {
  /** Code points of conversation in one request at most. */
  readonly chunkChars: number;
  /** Code points of known memories in one request at most. */
  readonly knownChars: number;
  /** Attempts a day at most; none where absent. */
  readonly maxPerDay?: number | undefined;
  /** Whether new facts may take the place of memories. */
  readonly consolidate: boolean;
  /** Whether what is learned waits for a person. */
  readonly review: boolean;
  /** Whether a fact that says the same as a known one in other words is left out. */
  readonly nearDuplicates: boolean;
  readonly texts: ExtractionTexts;
}

export interface ExtractorParts {
  readonly store: MemoryStore;
  readonly modelCall: ExtractionModelCall;
  /** How many memories are kept. */
  readonly limit: () => Promise<number>;
  readonly now: () => number;
  readonly randomUUID: () => string;
  readonly reporter: Reporter;
}

export interface Attempt {
  /** `"busy"`: another process is extracting for this user. `"nothing"`: nothing waited. */
  readonly outcome: "done" | "failed" | "busy" | "nothing";
  readonly requests: number;
  readonly stored: number;
  /** There if the outcome is `"failed"`. */
  readonly failure?: ExtractionFailure | undefined;
}

/** Takes out of all that waits what is to go now. */
export type SelectWaiting = (waiting: readonly WaitingEntry[]) => readonly WaitingEntry[];

/** One attempt: the oldest part of what waits goes to the model, and what it learned goes to the store. */
export class Extractor {
  readonly #parts: ExtractorParts;
  readonly #options: ExtractorOptions;
  readonly #answered: AnsweredParts;
  readonly #causes: Causes;
  readonly #usage: UsageBook;

  constructor(parts: ExtractorParts, options: ExtractorOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#causes = new Causes(parts.reporter);
    this.#usage = new UsageBook(parts.store.extraction, parts.now);
    this.#answered = new AnsweredParts({
      ...parts,
      review: options.review,
      nearDuplicates: options.nearDuplicates,
      usage: this.#usage,
      onEvicted: (count) =>
        parts.reporter.warnOnce(
          `evicted ${count}`,
          `${count} memories beyond the limit were evicted, the oldest first`,
        ),
    });
  }

  /** Whether something is to be written that no file holds yet. */
  get isHolding(): boolean {
    return this.#answered.isHolding;
  }

  /** What attempts cost, by day: of all processes, and of this one what it couldn't write yet. */
  async usage(): Promise<DayUsage[]> {
    return this.#usage.days(await this.#parts.store.extraction.read());
  }

  /**
   * Never rejects for what a store or a model does.
   *
   * @param select Asked when what was held is written.
   */
  async attempt(model: ChatModel, select: SelectWaiting): Promise<Attempt> {
    let lease: Lease | undefined;
    try {
      lease = await this.#parts.store.extraction.tryLease();
    } catch (error) {
      return this.#failedInStore(storeFailure(error), 0);
    }
    if (lease === undefined) return { outcome: "busy", requests: 0, stored: 0 };
    try {
      return await this.#attemptAlone(model, select);
    } finally {
      await lease.release().catch(() => {
        // It runs out by itself.
      });
    }
  }

  async #attemptAlone(model: ChatModel, select: SelectWaiting): Promise<Attempt> {
    const held = await this.#written(() => this.#answered.saveHeld());
    if (held === undefined) return failedSaving(0);

    const read = await this.#read(select).catch(storeFailure);
    if ("reason" in read) return this.#failedInStore(read, held);
    const { waiting, known, candidates, state } = read;
    const [first] = waiting;
    if (first === undefined) return { outcome: held > 0 ? "done" : "nothing", requests: 0, stored: held };
    if (this.#isDayFull(state)) return this.#refusedForToday(held);

    const { halvings, partMessages } = limitsFor(state, first);
    const part = this.#takePart(waiting, partMessages, deletionTimes(state.forgotten));
    const entries = part.map(({ entry }) => entry);
    const numbers = numberSessions(entries);
    const { texts, knownChars, consolidate } = this.#options;
    const { sent, numbered } = knownMemories(known, candidates, {
      consolidate,
      maxCharacters: Math.floor(knownChars / 2 ** halvings),
    });
    const request = buildRequest(texts, sent, part, lineRenderer(texts, numbers), { consolidate });

    const uncounted = await this.#countAttempt();
    if (uncounted !== undefined) return this.#failedInStore(uncounted, held);
    const { facts, failure, requests } = await this.#parts.modelCall.ask(model, request);
    const length = codePointLength(request.system) + codePointLength(request.user);
    this.#usage.count({ requests, characters: requests * length });
    if (facts === undefined) {
      this.#usage.count({ failures: 1 });
      await this.#writeFailure(failure, entries);
      return this.#failed("model", failure, requests, held);
    }
    this.#causes.worksAgain("model");

    const shown = { entries, sessionNumbers: numbers, numbered };
    const { learned, replaces } = await toMemories(facts, shown, this.#parts);
    const { generation } = state;
    const stored = await this.#written(() =>
      this.#answered.save({ entries, learned, replaces, asked: known, generation }),
    );
    if (stored === undefined) return failedSaving(requests);
    return { outcome: "done", requests, stored: stored + held };
  }

  #isDayFull(state: ExtractionState): boolean {
    const { maxPerDay = Number.POSITIVE_INFINITY } = this.#options;
    return this.#usage.today(state).extractions >= maxPerDay;
  }

  #refusedForToday(stored: number): Attempt {
    const reason = `maxExtractionsPerDay (${this.#options.maxPerDay}) reached`;
    this.#causes.oncePerDay(reason, this.#parts.now());
    return { outcome: "failed", requests: 0, stored, failure: passingFailure(reason) };
  }

  /**
   * Where the attempts of a day are limited, each is written down before it costs anything: a process that is killed in
   * every one of them must not pay without end.
   */
  async #countAttempt(): Promise<ExtractionFailure | undefined> {
    this.#usage.count({ extractions: 1 });
    if (this.#options.maxPerDay === undefined) return undefined;
    try {
      await this.#usage.change();
      return undefined;
    } catch (error) {
      this.#usage.count({ extractions: -1 });
      return storeFailure(error);
    }
  }

  /** The generation is read before the memories: a `clear` in between is noticed when the result comes to be stored. */
  async #read(select: SelectWaiting) {
    const { store } = this.#parts;
    const state = await store.extraction.read();
    const [known, waiting, candidates] = await Promise.all([
      store.memories.read(),
      store.waiting.read(),
      this.#options.review ? store.candidates.read() : [],
    ]);
    this.#causes.worksAgain("store");
    return { state, known, candidates, waiting: select(waiting) };
  }

  /** Measured with the session numbers of all that waits: those of the part alone are no longer. */
  #takePart(
    waiting: readonly WaitingEntry[],
    maxMessages: number | undefined,
    cutAt: readonly number[],
  ): PartMessage[] {
    const { texts, chunkChars } = this.#options;
    const render = lineRenderer(texts, numberSessions(waiting));
    return takePart(waiting, render, { chunkChars, maxMessages, cutAt, cutMark: texts.cutMark });
  }

  async #written(write: () => Promise<number>): Promise<number | undefined> {
    try {
      const stored = await write();
      this.#causes.worksAgain("saving");
      return stored;
    } catch (error) {
      const reason = faultName(error);
      this.#usage.count({ failures: 1 });
      this.#causes.error(
        "saving",
        reason,
        `what was learned could not be saved (${reason}); it is kept and saved later`,
      );
      return undefined;
    }
  }

  async #writeFailure(failure: ExtractionFailure, entries: readonly WaitingEntry[]): Promise<void> {
    const { store, reporter } = this.#parts;
    try {
      // Its user may have been deleted: no file comes back by it.
      if (!(await anyWaits(store, entries))) return;
      if (failure.ofContent) {
        await countPartFailure(store, (change) => this.#usage.change(change), reporter, entries);
      } else await this.#usage.change();
      this.#causes.worksAgain("state");
    } catch (error) {
      const reason = faultName(error);
      this.#causes.warn("state", reason, `the count of failures could not be written (${reason})`);
    }
  }

  #failedInStore(failure: ExtractionFailure, stored: number): Attempt {
    this.#usage.count({ failures: 1 });
    return this.#failed("store", failure, 0, stored);
  }

  #failed(cause: "model" | "store", failure: ExtractionFailure, requests = 0, stored = 0): Attempt {
    const { reason } = failure;
    this.#causes.warn(cause, reason, `extraction failed (${reason}); what waits is kept for the next try`);
    return { outcome: "failed", requests, stored, failure };
  }
}

function storeFailure(error: unknown): ExtractionFailure {
  return passingFailure(`store: ${faultName(error)}`);
}

function failedSaving(requests: number): Attempt {
  return { outcome: "failed", requests, stored: 0, failure: passingFailure("saving failed") };
}
