import { faultName } from "../../errors.js";
import type { ExtractionTexts } from "../../locales/index.js";
import type { Reporter } from "../../log.js";
import { globalScope, type MemoryItem, normalizeContent } from "../memory-item.js";
import type { Lease, MemoryStore } from "../memory-store.js";
import { holdsSecret } from "../secrets/index.js";
import type { WaitingEntry } from "../waiting-entry.js";
import { AnsweredParts } from "./answered-parts.js";
import { Causes } from "./causes.js";
import type { ChatModel } from "./chat-model.js";
import { type ExtractionFailure, passingFailure } from "./failure.js";
import type { ExtractionModelCall } from "./model-call.js";
import { type PartMessage, takePart } from "./part.js";
import { countPartFailure } from "./part-failures.js";
import type { LearnedFact } from "./reply.js";
import { buildRequest, lineRenderer, newestWithin, numberSessions } from "./request.js";

export interface ExtractorOptions {
  /** Code points of conversation in one request at most. */
  readonly chunkChars: number;
  /** Code points of known memories in one request at most. */
  readonly knownChars: number;
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

  constructor(parts: ExtractorParts, options: ExtractorOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#causes = new Causes(parts.reporter);
    this.#answered = new AnsweredParts({
      ...parts,
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
      return this.#failed("store", storeFailure(error));
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
    if ("reason" in read) return this.#failed("store", read, 0, held);
    const { waiting, known, state } = read;
    if (waiting.length === 0) return { outcome: held > 0 ? "done" : "nothing", requests: 0, stored: held };

    const part = this.#takePart(waiting, state.partMessages);
    const entries = part.map(({ entry }) => entry);
    const numbers = numberSessions(entries);
    const contents = known.map(({ content }) => normalizeContent(content));
    const request = buildRequest(
      this.#options.texts,
      newestWithin(contents, Math.floor(this.#options.knownChars / 2 ** state.halvings)),
      part,
      lineRenderer(this.#options.texts, numbers),
    );
    const { facts, failure, requests } = await this.#parts.modelCall.ask(model, request);
    if (facts === undefined) {
      if (failure.ofContent) await this.#countFailure(entries);
      return this.#failed("model", failure, requests, held);
    }
    this.#causes.worksAgain("model");

    const learned = await this.#toMemories(facts, numbers);
    const { generation } = state;
    const stored = await this.#written(() =>
      this.#answered.save({ entries, learned, asked: known, generation }),
    );
    if (stored === undefined) return failedSaving(requests);
    return { outcome: "done", requests, stored: stored + held };
  }

  /** The generation is read before the memories: a `clear` in between is noticed when the result comes to be stored. */
  async #read(select: SelectWaiting) {
    const { store } = this.#parts;
    const state = await store.extraction.read();
    const [known, waiting] = await Promise.all([store.memories.read(), store.waiting.read()]);
    this.#causes.worksAgain("store");
    return { state, known, waiting: select(waiting) };
  }

  /** Measured with the session numbers of all that waits: those of the part alone are no longer. */
  #takePart(waiting: readonly WaitingEntry[], maxMessages: number | undefined): PartMessage[] {
    const { texts, chunkChars } = this.#options;
    const render = lineRenderer(texts, numberSessions(waiting));
    return takePart(waiting, render, { chunkChars, maxMessages, cutMark: texts.cutMark });
  }

  async #toMemories(
    facts: readonly LearnedFact[],
    numbers: ReadonlyMap<string, number>,
  ): Promise<MemoryItem[]> {
    const { now, randomUUID } = this.#parts;
    const sessions = new Map([...numbers].map(([session, number]) => [number, session] as const));
    const createdAt = now();
    const learned: MemoryItem[] = [];
    for (const { content, session } of facts) {
      if (await holdsSecret(content)) continue;
      const scope = sessions.get(sessions.size === 1 ? 1 : (session ?? 0)) ?? globalScope;
      learned.push({ id: randomUUID(), content: normalizeContent(content), createdAt, sourceScope: scope });
    }
    return learned;
  }

  async #written(write: () => Promise<number>): Promise<number | undefined> {
    try {
      const stored = await write();
      this.#causes.worksAgain("saving");
      return stored;
    } catch (error) {
      const reason = faultName(error);
      this.#causes.error(
        "saving",
        reason,
        `what was learned could not be saved (${reason}); it is kept and saved later`,
      );
      return undefined;
    }
  }

  async #countFailure(entries: readonly WaitingEntry[]): Promise<void> {
    try {
      await countPartFailure(this.#parts.store, this.#parts.reporter, entries);
      this.#causes.worksAgain("state");
    } catch (error) {
      const reason = faultName(error);
      this.#causes.warn("state", reason, `the count of failures could not be written (${reason})`);
    }
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
