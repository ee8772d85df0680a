import { faultName } from "../errors.js";
import type { ChatModel } from "../memory/extraction/chat-model.js";
import { charactersOf, dueEntries, dueSessions, oldestBeyond } from "../memory/extraction/due.js";
import { type Attempt, Extractor, type SelectWaiting } from "../memory/extraction/extractor.js";
import type { ExtractionFailure } from "../memory/extraction/failure.js";
import { type AttemptOutcome, ExtractionSchedule } from "../memory/extraction/schedule.js";
import type { MemoryStore } from "../memory/memory-store.js";
import type { DayUsage } from "../memory/usage.js";
import type { WaitingEntry, WaitingTotals } from "../memory/waiting-entry.js";
import type { Settings } from "./settings.js";
import type { SharedParts } from "./shared-parts.js";

/** What `extractNow` did. */
export interface ExtractionResult {
  /** Requests that were made of the model. */
  readonly requests: number;
  /** Facts that were stored; with `review`, as candidates. */
  readonly stored: number;
  /** Messages that still wait. */
  readonly remaining: number;
  /** Why it ended before everything was distilled. Never holds what anybody said. */
  readonly failure?: { readonly reason: string; readonly status?: number | undefined } | undefined;
}

export interface AttemptsParts {
  readonly model: () => ChatModel | undefined;
  readonly settings: () => Promise<Settings>;
  /** Takes messages out of the queue for good. */
  readonly drop: (entries: readonly WaitingEntry[]) => Promise<void>;
  /** How much waits, where the last turn has told. */
  readonly counted: () => ReadonlyMap<string, WaitingTotals> | undefined;
  readonly onStored: () => void;
}

const leasePollMs = 200;

/** When what waits is distilled, and how much of it: at completed turns, or now. One attempt at a time. */
export class Attempts {
  readonly #shared: SharedParts;
  readonly #store: MemoryStore;
  readonly #parts: AttemptsParts;
  readonly #extractor: Extractor;
  readonly #schedule: ExtractionSchedule;
  #exclusive: Promise<unknown> = Promise.resolve();

  constructor(shared: SharedParts, store: MemoryStore, parts: AttemptsParts) {
    const { options, environment, reporter, locale, modelCall } = shared;
    this.#shared = shared;
    this.#store = store;
    this.#parts = parts;
    const limit = async () => (await parts.settings()).aiMemoryLimit;
    this.#extractor = new Extractor(
      { store, modelCall, limit, ...environment, reporter },
      {
        chunkChars: options.extractionChunkChars,
        knownChars: options.extractionKnownChars,
        maxPerDay: options.maxExtractionsPerDay,
        consolidate: options.consolidate,
        review: options.review,
        nearDuplicates: options.nearDuplicates,
        texts: locale.extraction,
      },
    );
    this.#schedule = new ExtractionSchedule({
      isDue: () => this.#isDue(),
      attempt: () => this.#scheduledAttempt(),
    });
  }

  /** Whether what was learned is only in memory yet. */
  get isHolding(): boolean {
    return this.#extractor.isHolding;
  }

  /** Resolves when nothing more is permitted or due. */
  turnCompleted(): Promise<void> {
    return this.#schedule.turnCompleted();
  }

  /** Distils what waits now, of one session or of all, part by part. */
  extractAll(sessionId: string | undefined): Promise<ExtractionResult> {
    return this.#exclusively(() => this.#extractAll(sessionId));
  }

  usage(): Promise<DayUsage[]> {
    return this.#extractor.usage();
  }

  async #extractAll(sessionId: string | undefined): Promise<ExtractionResult> {
    const result = { requests: 0, stored: 0 };
    const belongsToCall = ({ session }: WaitingEntry) => sessionId === undefined || session === sessionId;
    try {
      const waiting = (await this.#store.waiting.read()).filter(belongsToCall);
      // What comes in meanwhile waits for its own turn's permit.
      const asked = new Set(waiting.map(({ entryId }) => entryId));
      const isOn = () => this.#isEnabled();
      let failure = (await isOn()) && this.#parts.model() === undefined ? noModel : undefined;
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
      const model = this.#parts.model();
      if (model === undefined || !(await isOn())) return { outcome: "nothing", requests: 0, stored: 0 };
      const attempt = await this.#limited(() => this.#extractor.attempt(model, select));
      if (attempt.stored > 0) this.#parts.onStored();
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
      const totals = this.#parts.counted() ?? (await this.#store.waiting.totals());
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
    await this.#parts.drop(oldest);
    // Each time is a loss of its own and is said, so the cause is never the same.
    const cause = `passed over ${environment.randomUUID()}`;
    reporter.warnOnce(
      cause,
      `more than maxWaitingChars (${options.maxWaitingChars}) code points waited: the oldest ${oldest.length} messages were passed over`,
    );
    reporter.recovered(cause);
  }

  async #isEnabled(): Promise<boolean> {
    return (await this.#parts.settings()).aiMemoryEnabled;
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
