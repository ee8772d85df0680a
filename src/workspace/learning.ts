import type { ChatModel } from "../memory/extraction/chat-model.js";
import { type Attempt, Extractor } from "../memory/extraction/extractor.js";
import { type AttemptOutcome, ExtractionSchedule } from "../memory/extraction/schedule.js";
import type { MemoryStore } from "../memory/memory-store.js";
import { Recorder } from "../memory/recorder.js";
import type { WaitingEntry, WaitingTotals } from "../memory/waiting-entry.js";
import { codePointLength } from "../text/index.js";
import { holdingProcess } from "./background.js";
import type { WorkspaceSettings } from "./settings.js";
import type { SharedParts } from "./shared-parts.js";

/** What `extractNow` did. */
export interface ExtractionResult {
  /** Requests that were made of the model. */
  readonly requests: number;
  /** Facts that were stored. */
  readonly stored: number;
  /** Messages that still wait. */
  readonly remaining: number;
  /** Why it ended before everything was distilled. Never holds what anybody said. */
  readonly failure?: { readonly reason: string; readonly status?: number | undefined } | undefined;
}

export interface RecordOptions {
  /** Extracts where the workspace has no model of its own. */
  readonly model?: ChatModel | undefined;
  /** A temporary run: nothing of it is recorded, nor learned later. */
  readonly isTemporary?: boolean | undefined;
}

const leasePollMs = 200;

/** The way from a completed turn to stored memories, of one user. */
export class Learning {
  readonly #shared: SharedParts;
  readonly #store: MemoryStore;
  readonly #settings: WorkspaceSettings;
  readonly #recorder: Recorder;
  readonly #extractor: Extractor;
  readonly #schedule: ExtractionSchedule;
  #model: ChatModel | undefined;
  #exclusive: Promise<unknown> = Promise.resolve();

  constructor(shared: SharedParts, store: MemoryStore, settings: WorkspaceSettings) {
    const { options, environment, reporter, locale, modelCall } = shared;
    this.#shared = shared;
    this.#store = store;
    this.#settings = settings;
    this.#model = options.model;
    this.#recorder = new Recorder({
      store,
      ...environment,
      reporter,
      secretMark: locale.extraction.secretMark,
      maxWaitingChars: options.maxWaitingChars,
    });
    const limit = async () => (await settings.get()).aiMemoryLimit;
    this.#extractor = new Extractor(
      { store, modelCall, limit, ...environment, reporter },
      {
        chunkChars: options.extractionChunkChars,
        knownChars: options.extractionKnownChars,
        texts: locale.extraction,
      },
    );
    this.#schedule = new ExtractionSchedule({
      isDue: () => this.#isDue(),
      attempt: () => this.#scheduledAttempt(),
    });
  }

  /** Whether something is only in memory yet: such a user's workspace must not be let go. */
  get isHolding(): boolean {
    return this.#recorder.isHolding || this.#extractor.isHolding;
  }

  /** Resolves when the turn is in the queue; what follows is background work. Never rejects. */
  async record(
    sessionId: string,
    conversation: readonly unknown[],
    options: RecordOptions = {},
  ): Promise<void> {
    const { reporter, background } = this.#shared;
    try {
      const { aiMemoryEnabled } = await this.#settings.get();
      if (options.isTemporary || !aiMemoryEnabled) {
        await this.#recorder.passOver(sessionId, conversation);
        return;
      }
      this.#model ??= options.model;
      if (this.#model === undefined) {
        reporter.warnOnce("no model", "no model is set: memories are injected and nothing is learned");
        return;
      }
      const recorded = await this.#recorder.record(sessionId, conversation);
      if (recorded > 0 && !this.#shared.isClosed()) background.run(() => this.#schedule.turnCompleted());
      reporter.recovered("recording");
    } catch (error) {
      reporter.warnOnce("recording", `a turn could not be recorded (${nameOf(error)})`);
    }
  }

  /** Keeps a turn that may fail from being learned later: its words stand in the conversation all the same. */
  async passOver(sessionId: string, conversation: readonly unknown[]): Promise<void> {
    await this.#recorder.passOver(sessionId, conversation);
  }

  async extractNow(sessionId?: string): Promise<ExtractionResult> {
    return holdingProcess(() => this.#exclusively(() => this.#extractAll(sessionId)));
  }

  /** Takes everything out of the queue. Gives how many messages. */
  async clearWaiting(belongs: (entry: WaitingEntry) => boolean = () => true): Promise<number> {
    const held = this.#recorder.drop(belongs);
    const waiting = (await this.#store.waiting.read()).filter(belongs);
    if (waiting.length > 0) await this.#store.waiting.remove(new Set(waiting.map(({ entryId }) => entryId)));
    return waiting.length + held;
  }

  async #extractAll(sessionId: string | undefined): Promise<ExtractionResult> {
    const model = this.#model;
    const result = { requests: 0, stored: 0 };
    const belongsToCall = ({ session }: WaitingEntry) => sessionId === undefined || session === sessionId;
    try {
      const waiting = (await this.#store.waiting.read()).filter(belongsToCall);
      const { aiMemoryEnabled } = await this.#settings.get();
      if (!aiMemoryEnabled) return { ...result, remaining: waiting.length };
      if (model === undefined) {
        return { ...result, remaining: waiting.length, failure: { reason: "no model" } };
      }
      const asked = new Set(waiting.map(({ entryId }) => entryId));
      let failure: Attempt["failure"];
      while (failure === undefined) {
        const attempt = await this.#patientAttempt(model, ({ entryId }) => asked.has(entryId));
        result.requests += attempt.requests;
        result.stored += attempt.stored;
        failure = attempt.failure;
        if (attempt.outcome !== "done") break;
      }
      const remaining = (await this.#store.waiting.read()).filter(belongsToCall).length;
      return { ...result, remaining, ...(failure && { failure: withoutKind(failure) }) };
    } catch (error) {
      return { ...result, remaining: 0, failure: { reason: `store: ${nameOf(error)}` } };
    }
  }

  /** Another process may be at it: its lease ends with its attempt, or runs out if it was killed. */
  async #patientAttempt(model: ChatModel, belongs: (entry: WaitingEntry) => boolean): Promise<Attempt> {
    let waitedMs = 0;
    for (;;) {
      const attempt = await this.#limited(() => this.#extractor.attempt(model, belongs));
      if (attempt.outcome !== "busy") return attempt;
      if (waitedMs >= this.#shared.options.extractionTimeoutMs) {
        return { ...attempt, failure: { reason: "another process is extracting", ofContent: false } };
      }
      await new Promise((resolve) => setTimeout(resolve, leasePollMs));
      waitedMs += leasePollMs;
    }
  }

  async #scheduledAttempt(): Promise<AttemptOutcome> {
    const model = this.#model;
    if (model === undefined || this.#shared.isClosed()) return "nothing";
    return this.#exclusively(async () => {
      const { aiMemoryEnabled } = await this.#settings.get();
      if (!aiMemoryEnabled) return "nothing";
      const due = this.#dueSessions(await this.#store.waiting.totals());
      if (due === undefined) return "nothing";
      const attempt = await this.#limited(() =>
        this.#extractor.attempt(model, ({ session }) => due === "all" || due.has(session)),
      );
      return attempt.outcome;
    });
  }

  async #isDue(): Promise<boolean> {
    try {
      const totals = await this.#store.waiting.totals();
      const characters = sumOf(totals.values());
      if (characters > this.#shared.options.maxWaitingChars) await this.#passOverOldest(characters);
      return this.#extractor.isHolding || this.#dueSessions(totals) !== undefined;
    } catch (error) {
      this.#shared.reporter.warnOnce("queue totals", `what waits can't be counted (${nameOf(error)})`);
      return false;
    }
  }

  /** `"all"` from the trigger on; else the sessions that have been still for long enough; `undefined` where it is too little. */
  #dueSessions(totals: ReadonlyMap<string, WaitingTotals>): "all" | ReadonlySet<string> | undefined {
    const { extractionTriggerChars, idleExtraction } = this.#shared.options;
    if (this.#extractor.isHolding || sumOf(totals.values()) >= extractionTriggerChars) return "all";
    if (idleExtraction === undefined) return undefined;
    const stillSince = this.#shared.environment.now() - idleExtraction.afterMs;
    const still = [...totals].filter(([, { lastTime }]) => lastTime <= stillSince);
    const characters = sumOf(still.map(([, total]) => total));
    return characters >= idleExtraction.minChars ? new Set(still.map(([session]) => session)) : undefined;
  }

  async #passOverOldest(characters: number): Promise<void> {
    const { options, reporter } = this.#shared;
    let excess = characters - options.maxWaitingChars;
    const oldest = new Set<string>();
    for (const { entryId, text } of await this.#store.waiting.read()) {
      if (excess <= 0) break;
      oldest.add(entryId);
      excess -= codePointLength(text);
    }
    await this.#store.waiting.remove(oldest);
    reporter.warnOnce(
      `passed over ${this.#shared.environment.randomUUID()}`,
      `more than maxWaitingChars (${options.maxWaitingChars}) code points waited: the oldest ${oldest.size} messages were passed over`,
    );
  }

  /** So many at once in this process, over all users. */
  #limited(work: () => Promise<Attempt>): Promise<Attempt> {
    return this.#shared.extractionCaller.call(work);
  }

  /** One at a time for this user. */
  #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#exclusive.then(work);
    this.#exclusive = done.catch(() => {});
    return done;
  }
}

function sumOf(totals: Iterable<WaitingTotals>): number {
  let characters = 0;
  for (const total of totals) characters += total.characters;
  return characters;
}

function withoutKind({ reason, status }: { reason: string; status?: number | undefined }) {
  return status === undefined ? { reason } : { reason, status };
}

/** A code or a class; never a message. */
function nameOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : typeof name === "string" ? name : "unknown reason";
}
