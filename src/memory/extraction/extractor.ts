import type { ExtractionTexts } from "../../locales/index.js";
import type { Reporter } from "../../log.js";
import { globalScope, type MemoryItem } from "../memory-item.js";
import { type ExtractionState, initialExtractionState, type MemoryStore } from "../memory-store.js";
import { mergeLearned } from "../merge.js";
import { holdsSecret } from "../secrets/index.js";
import { emptySessionRecord, seenMessage, withSeen } from "../session-record.js";
import type { WaitingEntry } from "../waiting-entry.js";
import type { ChatModel } from "./chat-model.js";
import { type ExtractionFailure, passingFailure } from "./failure.js";
import type { ExtractionModelCall } from "./model-call.js";
import { takePart } from "./part.js";
import type { LearnedFact } from "./reply.js";
import { buildRequest, lineRenderer, newestWithin, numberSessions } from "./request.js";

export interface ExtractorOptions {
  readonly chunkChars: number;
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
  readonly outcome: "done" | "failed" | "busy" | "nothing";
  readonly requests: number;
  readonly stored: number;
  readonly failure?: ExtractionFailure | undefined;
}

/** What an answered request brought and what is still to be written of it. */
interface Completion {
  readonly part: readonly WaitingEntry[];
  readonly learned: readonly MemoryItem[];
  readonly asked: readonly MemoryItem[];
  readonly generation: number;
  areMemoriesSaved: boolean;
}

const maxContentFailures = 3;

/**
 * One attempt: the oldest part of what waits goes to the model, what it learned goes to the store, and then, in this
 * order, the cursor moves and the part leaves the queue. Killed in between, a request may be made again; nothing is lost
 * and no fact is stored twice.
 */
export class Extractor {
  readonly #parts: ExtractorParts;
  readonly #options: ExtractorOptions;
  readonly #reported = new Set<string>();
  /** Facts that were paid for and could not be written: written with the next attempt, without a second request. */
  #held: Completion | undefined;

  constructor(parts: ExtractorParts, options: ExtractorOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** Whether something is to be written that no file holds yet. */
  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /** @param belongs Which of what waits is to go; by default all of it. */
  async attempt(model: ChatModel, belongs: (entry: WaitingEntry) => boolean = () => true): Promise<Attempt> {
    let lease: Awaited<ReturnType<MemoryStore["extraction"]["tryLease"]>>;
    try {
      lease = await this.#parts.store.extraction.tryLease();
    } catch (error) {
      return this.#failed("store", passingFailure(`store: ${codeOf(error)}`), 0);
    }
    if (lease === undefined) return { outcome: "busy", requests: 0, stored: 0 };
    try {
      return await this.#attemptAlone(model, belongs);
    } finally {
      await lease.release().catch(() => {
        // It runs out by itself.
      });
    }
  }

  async #attemptAlone(model: ChatModel, belongs: (entry: WaitingEntry) => boolean): Promise<Attempt> {
    let stored = 0;
    if (this.#held !== undefined) {
      const saved = await this.#complete(this.#held);
      if (saved === undefined) return this.#failedSaving(0);
      stored += saved;
    }

    const read = await this.#read(belongs).catch((error: unknown) =>
      passingFailure(`store: ${codeOf(error)}`),
    );
    if ("reason" in read) return this.#failed("store", read, 0);
    const { waiting, known, state } = read;
    if (waiting.length === 0) return { outcome: stored > 0 ? "done" : "nothing", requests: 0, stored };

    const { texts, chunkChars, knownChars } = this.#options;
    const part = takePart(waiting, lineRenderer(texts, numberSessions(waiting)), {
      chunkChars,
      maxMessages: state.partMessages,
      cutMark: texts.cutMark,
    });
    const entries = part.map(({ entry }) => entry);
    const sessionNumbers = numberSessions(entries);
    const contents = newestWithin(
      known.map(({ content }) => content),
      Math.floor(knownChars / 2 ** state.halvings),
    );
    const request = buildRequest(texts, contents, part, lineRenderer(texts, sessionNumbers));
    const reply = await this.#parts.modelCall.ask(model, request);
    if (reply.facts === undefined) {
      const failure = reply.failure ?? passingFailure("no answer");
      if (failure.ofContent) await this.#countContentFailure(state, entries);
      return { ...this.#failed("model", failure, reply.requests), stored };
    }
    this.#worksAgain("model");

    const completion: Completion = {
      part: entries,
      learned: await this.#toMemories(reply.facts, sessionNumbers),
      asked: known,
      generation: state.generation,
      areMemoriesSaved: false,
    };
    const saved = await this.#complete(completion);
    if (saved === undefined) return this.#failedSaving(reply.requests);
    return { outcome: "done", requests: reply.requests, stored: stored + saved };
  }

  /** The generation is read before the memories: a `clear` in between is noticed when the result comes to be stored. */
  async #read(belongs: (entry: WaitingEntry) => boolean) {
    const { store } = this.#parts;
    const state = await store.extraction.read();
    const [known, waiting] = await Promise.all([store.memories.read(), store.waiting.read()]);
    this.#worksAgain("store");
    return { state, known, waiting: waiting.filter(belongs) };
  }

  async #toMemories(
    facts: readonly LearnedFact[],
    numbers: ReadonlyMap<string, number>,
  ): Promise<MemoryItem[]> {
    const { now, randomUUID } = this.#parts;
    const sessions = new Map([...numbers].map(([session, number]) => [number, session] as const));
    const onlySession = numbers.size === 1 ? sessions.get(1) : undefined;
    const createdAt = now();
    const learned: MemoryItem[] = [];
    for (const { content, session } of facts) {
      if (await holdsSecret(content)) continue;
      const sourceScope = onlySession ?? sessions.get(session ?? 0) ?? globalScope;
      learned.push({ id: randomUUID(), content, createdAt, sourceScope });
    }
    return learned;
  }

  /** Gives how many facts were stored; `undefined` where something could not be written, which is then kept. */
  async #complete(completion: Completion): Promise<number | undefined> {
    const { store, now } = this.#parts;
    this.#held = completion;
    let stored = 0;
    try {
      const part = await this.#stillWaiting(completion.part);
      const sessions = bySession(part);
      if (!completion.areMemoriesSaved) {
        stored = await this.#saveMemories(completion, sessions);
        completion.areMemoriesSaved = true;
      }
      for (const [session, entries] of sessions) {
        await store.sessions.change(session, (record = emptySessionRecord(session)) => ({
          ...withSeen(
            record,
            entries.map(({ id, text }) => seenMessage(id, text)),
          ),
          extractedUpTo: entries.at(-1)?.id,
          extractedAt: now(),
        }));
      }
      if (part.length > 0) await store.waiting.remove(new Set(part.map(({ entryId }) => entryId)));
      await store.extraction.change(afterSuccess);
    } catch (error) {
      this.#report(
        "error",
        "saving",
        `what was learned could not be saved (${codeOf(error)}); it is kept and saved later`,
      );
      return undefined;
    }
    this.#held = undefined;
    this.#worksAgain("saving");
    return stored;
  }

  /** What a person took out of the queue while the model was asked is not wanted any more, nor what was learned from it. */
  async #stillWaiting(part: readonly WaitingEntry[]): Promise<WaitingEntry[]> {
    const waiting = new Set((await this.#parts.store.waiting.read()).map(({ entryId }) => entryId));
    return part.filter(({ entryId }) => waiting.has(entryId));
  }

  async #saveMemories(completion: Completion, sessions: ReadonlyMap<string, unknown>): Promise<number> {
    const { part, asked, generation } = completion;
    const isWhole = part.every(({ session }) => sessions.has(session));
    const learned = completion.learned.filter(({ sourceScope }) => isWhole || sessions.has(sourceScope));
    if (learned.length === 0) return 0;
    const limit = await this.#parts.limit();
    return this.#parts.store.memories.change((current) => {
      // Cleared meanwhile: what was learned from before is not wanted any more.
      if (current.generation !== generation) return { result: 0 };
      const { items, added } = mergeLearned({ current: current.items, asked, learned, limit });
      return { items: added.length === 0 ? undefined : items, result: added.length };
    });
  }

  /** The third failure in a row for what a part holds makes it smaller; a single message is passed over. */
  async #countContentFailure(state: ExtractionState, part: readonly WaitingEntry[]): Promise<void> {
    const { store, reporter } = this.#parts;
    const contentFailures = state.contentFailures + 1;
    const [only] = part;
    try {
      if (contentFailures < maxContentFailures) {
        await store.extraction.change((current) => ({ ...current, contentFailures }));
      } else if (part.length > 1 || only === undefined) {
        await store.extraction.change((current) => ({
          ...current,
          contentFailures: 0,
          halvings: current.halvings + 1,
          partMessages: Math.ceil(part.length / 2),
        }));
      } else {
        reporter.warnOnce(
          `passed over ${only.entryId}`,
          `message ${JSON.stringify(only.id)} of session ${JSON.stringify(only.session)} was passed over: the extraction failed ${contentFailures} times on it alone`,
        );
        await store.waiting.remove(new Set([only.entryId]));
        await store.extraction.change((current) => ({ ...current, contentFailures: 0 }));
      }
    } catch (error) {
      this.#report("warn", "state", `the count of failures could not be written (${codeOf(error)})`);
    }
  }

  #failedSaving(requests: number): Attempt {
    return { outcome: "failed", requests, stored: 0, failure: passingFailure("saving failed") };
  }

  #failed(cause: "model" | "store", failure: ExtractionFailure, requests: number): Attempt {
    this.#report(
      "warn",
      cause,
      `extraction failed (${failure.reason}); what waits is kept for the next try`,
      failure.reason,
    );
    return { outcome: "failed", requests, stored: 0, failure };
  }

  #report(level: "warn" | "error", cause: string, message: string, reason = ""): void {
    const key = `extraction ${cause} ${reason}`;
    this.#reported.add(key);
    if (level === "warn") this.#parts.reporter.warnOnce(key, message);
    else this.#parts.reporter.errorOnce(key, message);
  }

  #worksAgain(cause: "model" | "store" | "saving"): void {
    for (const key of this.#reported) {
      if (!key.startsWith(`extraction ${cause} `)) continue;
      this.#parts.reporter.recovered(key);
      this.#reported.delete(key);
    }
  }
}

/** Parts grow again by doubling, and the list of known memories with them. */
function afterSuccess(state: ExtractionState): ExtractionState {
  const { generation, halvings, partMessages } = state;
  const next = { ...initialExtractionState, generation, halvings: Math.max(0, halvings - 1) };
  return partMessages === undefined || next.halvings === 0
    ? next
    : { ...next, partMessages: partMessages * 2 };
}

function bySession(entries: readonly WaitingEntry[]): Map<string, WaitingEntry[]> {
  const sessions = new Map<string, WaitingEntry[]>();
  for (const entry of entries) {
    const one = sessions.get(entry.session);
    if (one === undefined) sessions.set(entry.session, [entry]);
    else one.push(entry);
  }
  return sessions;
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "unknown reason";
}
