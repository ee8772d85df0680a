import { faultName } from "../errors.js";
import type { ChatModel } from "../memory/extraction/chat-model.js";
import type { MemoryStore } from "../memory/memory-store.js";
import { readLastTurn } from "../memory/new-messages.js";
import { Recorder } from "../memory/recorder.js";
import type { DayUsage } from "../memory/usage.js";
import type { WaitingEntry } from "../memory/waiting-entry.js";
import { Attempts, type ExtractionResult } from "./attempts.js";
import { holdingProcess } from "./background.js";
import type { WorkspaceSettings } from "./settings.js";
import type { SharedParts } from "./shared-parts.js";
import { type TurnCount, TurnCounter } from "./turn-counter.js";

export interface RecordOptions {
  /** Extracts where the workspace has no model of its own. */
  readonly model?: ChatModel | undefined;
  /** Whether the turn waits although no model is known: the agent's own comes with the next call of it. */
  readonly isModelToCome?: boolean | undefined;
  /** A temporary run: nothing of it is recorded, nor learned later. */
  readonly isTemporary?: boolean | undefined;
}

/** The way from a completed turn to stored memories, of one user. */
export class Learning {
  readonly #shared: SharedParts;
  readonly #store: MemoryStore;
  readonly #settings: WorkspaceSettings;
  readonly #recorder: Recorder;
  readonly #attempts: Attempts;
  readonly #counter = new TurnCounter();
  #model: ChatModel | undefined;

  /** @param onStored Called after facts were stored. */
  constructor(shared: SharedParts, store: MemoryStore, settings: WorkspaceSettings, onStored: () => void) {
    const { options, environment, reporter, locale } = shared;
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
      toolTurns: options.toolTurns,
      inBackground: (work) => shared.background.run(work),
    });
    this.#attempts = new Attempts(shared, store, {
      model: () => this.#model,
      settings: () => settings.get(),
      drop: (entries) => this.#recorder.takeOut(entries),
      counted: () => this.#counter.take(),
      onStored,
    });
  }

  /** Whether something is only in memory yet: such a user's workspace must not be let go. */
  get isHolding(): boolean {
    return this.#recorder.isHolding || this.#attempts.isHolding;
  }

  /** Resolves when the turn is in the queue; what follows is background work. Never rejects. */
  async record(
    sessionId: string,
    conversation: readonly unknown[],
    options: RecordOptions = {},
  ): Promise<void> {
    const { reporter } = this.#shared;
    try {
      if (options.isTemporary) return await this.#recorder.passOver(sessionId, conversation);
      await this.#counter.around((count) => this.#recordCounted(sessionId, conversation, options, count));
      reporter.recovered("recording");
    } catch (error) {
      reporter.warnOnce("recording", `a turn could not be recorded (${faultName(error)})`);
    }
  }

  extractNow(sessionId?: string): Promise<ExtractionResult> {
    return holdingProcess(() => this.#attempts.extractAll(sessionId));
  }

  /** By day, newest last. Rejects where it can't be read. */
  usage(): Promise<DayUsage[]> {
    return this.#attempts.usage();
  }

  /**
   * Takes what belongs out of the queue, by default everything; a resumed turn doesn't bring it back. Gives how many
   * messages.
   */
  async clearWaiting(belongs: (entry: WaitingEntry) => boolean = () => true): Promise<number> {
    const held = this.#recorder.drop(belongs);
    const waiting = (await this.#store.waiting.read()).filter(belongs);
    await this.#recorder.takeOut(waiting);
    return waiting.length + held.length;
  }

  /** The same of a session of which nothing is to be known any more. */
  async forgetWaiting(sessionId: string): Promise<number> {
    const belongs = ({ session }: WaitingEntry) => session === sessionId;
    const held = this.#recorder.drop(belongs);
    const waiting = (await this.#store.waiting.read()).filter(belongs);
    if (waiting.length > 0) await this.#store.waiting.remove(new Set(waiting.map(({ entryId }) => entryId)));
    return waiting.length + held.length;
  }

  async #recordCounted(
    sessionId: string,
    conversation: readonly unknown[],
    { model: runModel, isModelToCome = false }: RecordOptions,
    count: TurnCount,
  ): Promise<void> {
    const { reporter, background, options } = this.#shared;
    const model = options.model ?? runModel ?? this.#model;
    const isLearning = model !== undefined || isModelToCome;
    const lastTurn = isLearning ? readLastTurn(conversation) : undefined;
    // Asked at one moment, so that a store over a network answers by one query.
    const isEnabled = this.#isEnabled();
    const known = lastTurn && this.#recorder.known(sessionId, lastTurn);
    if (isLearning && this.#store.waiting.answersTogether === true) {
      count.before(this.#store.waiting.totals());
    }
    if (!(await isEnabled)) return this.#recorder.passOver(sessionId, conversation);
    this.#model = model;
    if (lastTurn === undefined || known === undefined) {
      reporter.warnOnce("no model", "no model is set: memories are injected and nothing is learned");
      return;
    }
    const { messages, queued } = await this.#recorder.record(sessionId, lastTurn, known);
    await count.add(queued);
    if (messages > 0 && !this.#shared.isClosed()) background.run(() => this.#attempts.turnCompleted());
  }

  async #isEnabled(): Promise<boolean> {
    return (await this.#settings.get()).aiMemoryEnabled;
  }
}
