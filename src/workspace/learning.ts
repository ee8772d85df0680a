import { faultName } from "../errors.js";
import type { ChatModel } from "../memory/extraction/chat-model.js";
import { charactersOf, dueEntries, dueSessions, oldestBeyond } from "../memory/extraction/due.js";
import { type Attempt, Extractor, type SelectWaiting } from "../memory/extraction/extractor.js";
import type { ExtractionFailure } from "../memory/extraction/failure.js";
import { type AttemptOutcome, ExtractionSchedule } from "../memory/extraction/schedule.js";
import type { MemoryStore } from "../memory/memory-store.js";
import { Recorder } from "../memory/recorder.js";
import type { WaitingEntry } from "../memory/waiting-entry.js";
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
      inBackground: (work) => shared.background.run(work),
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
      if (options.isTemporary || !(await this.#isEnabled())) {
        await this.#recorder.passOver(sessionId, conversation);
        return;
      }
      this.#model = this.#shared.options.model ?? options.model ?? this.#model;
      if (this.#model === undefined) {
        reporter.warnOnce("no model", "no model is set: memories are injected and nothing is learned");
        return;
      }
      const recorded = await this.#recorder.record(sessionId, conversation);
      if (recorded > 0 && !this.#shared.isClosed()) background.run(() => this.#schedule.turnCompleted());
      reporter.recovered("recording");
    } catch (error) {
      reporter.warnOnce("recording", `a turn could not be recorded (${faultName(error)})`);
    }
  }

  /** Keeps a turn that may fail from being learned later: its words stand in the conversation all the same. */
  async passOver(sessionId: string, conversation: readonly unknown[]): Promise<void> {
    await this.#recorder.passOver(sessionId, conversation);
  }

  async extractNow(sessionId?: string): Promise<ExtractionResult> {
    return holdingProcess(() => this.#exclusively(() => this.#extractAll(sessionId)));
  }

  /** Takes what belongs out of the queue, by default everything. Gives how many messages. */
  async clearWaiting(belongs: (entry: WaitingEntry) => boolean = () => true): Promise<number> {
    const held = this.#recorder.drop(belongs);
    const waiting = (await this.#store.waiting.read()).filter(belongs);
    if (waiting.length > 0) await this.#store.waiting.remove(new Set(waiting.map(({ entryId }) => entryId)));
    return waiting.length + held;
  }

  async #extractAll(sessionId: string | undefined): Promise<ExtractionResult> {
    const result = { requests: 0, stored: 0 };
    const belongsToCall = ({ session }: WaitingEntry) => sessionId === undefined || session === sessionId;
    try {
      const waiting = (await this.#store.waiting.read()).filter(belongsToCall);
      // What comes in meanwhile waits for its own turn's permit.
      const asked = new Set(waiting.map(({ entryId }) => entryId));
      const isOn = () => this.#isEnabled();
      let failure = (await isOn()) && this.#model === undefined ? noModel : undefined;
      while (failure === undefined) {
        const attempt = await this.#patientAttempt(
          (entries) => entries.filter(({ entryId }) => asked.has(entryId)),
          isOn,
        );
        result.requests += attempt.requests;
        result.stored += attempt.stored;
        failure = attempt.failure;
        if (attempt.outcome !== "done") break;
      }
      const remaining = (await this.#store.waiting.read()).filter(belongsToCall).length;
      return { ...result, remaining, ...(failure && { failure: withoutKind(failure) }) };
    } catch (error) {
      return { ...result, remaining: 0, failure: { reason: `store: ${faultName(error)}` } };
    }
  }

  async #scheduledAttempt(): Promise<AttemptOutcome> {
    const { options, environment } = this.#shared;
    const attempt = await this.#exclusively(() =>
      this.#patientAttempt(
        (waiting) => dueEntries(waiting, options, environment.now()),
        async () => !this.#shared.isClosed() && (await this.#isEnabled()),
      ),
    );
    return attempt.outcome;
  }

  /**
   * Another process may be at it: its lease ends with its attempt, or runs out if it was killed.
   *
   * @param isOn Asked before each try.
   */
  async #patientAttempt(select: SelectWaiting, isOn: () => Promise<boolean>): Promise<Attempt> {
    for (let waitedMs = 0; ; waitedMs += leasePollMs) {
      const model = this.#model;
      if (model === undefined || !(await isOn())) return { outcome: "nothing", requests: 0, stored: 0 };
      const attempt = await this.#limited(() => this.#extractor.attempt(model, select));
      if (attempt.outcome !== "busy") return attempt;
      if (waitedMs >= this.#shared.options.extractionTimeoutMs) {
        return { ...attempt, failure: { reason: "another process is extracting", ofContent: false } };
      }
      await new Promise((resolve) => setTimeout(resolve, leasePollMs).unref());
    }
  }

  /** Cheap enough for each turn; the attempt itself looks again, when what was held is written. */
  async #isDue(): Promise<boolean> {
    const { options, environment, reporter } = this.#shared;
    try {
      const totals = await this.#store.waiting.totals();
      if (charactersOf(totals) > options.maxWaitingChars) await this.#passOverOldest();
      reporter.recovered("queue totals");
      return this.#extractor.isHolding || dueSessions(totals, options, environment.now()).size > 0;
    } catch (error) {
      reporter.warnOnce("queue totals", `what waits can't be counted (${faultName(error)})`);
      return false;
    }
  }

  async #passOverOldest(): Promise<void> {
    const { options, reporter, environment } = this.#shared;
    const oldest = oldestBeyond(await this.#store.waiting.read(), options.maxWaitingChars);
    if (oldest.length === 0) return;
    await this.#store.waiting.remove(new Set(oldest.map(({ entryId }) => entryId)));
    // Each time is a loss of its own and is said, so the cause is never the same.
    const cause = `passed over ${environment.randomUUID()}`;
    reporter.warnOnce(
      cause,
      `more than maxWaitingChars (${options.maxWaitingChars}) code points waited: the oldest ${oldest.length} messages were passed over`,
    );
    reporter.recovered(cause);
  }

  async #isEnabled(): Promise<boolean> {
    return (await this.#settings.get()).aiMemoryEnabled;
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

const noModel: ExtractionFailure = { reason: "no model", ofContent: false };

function withoutKind({ reason, status }: ExtractionFailure) {
  return status === undefined ? { reason } : { reason, status };
}
