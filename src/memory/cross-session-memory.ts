import { AsyncLocalStorage } from "node:async_hooks";
import {
  BaseMemory,
  type InputValues,
  type MemoryVariables,
  type OutputValues,
} from "@langchain/core/memory";
import type { BaseMessage } from "@langchain/core/messages";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { faultName, optionError } from "../errors.js";
import { conversationText } from "../messages/conversation-text.js";
import { foldContext } from "../messages/fold-context.js";
import { lastWords } from "../messages/last-words.js";
import { toMessages } from "../messages/to-messages.js";
import {
  currentRunConfig,
  isTemporaryRun,
  type MemoryWorkspace,
  openDoor,
  queryOf,
  reportContext,
  textFor,
} from "../workspace/index.js";
import { AppHistory } from "./app-history.js";
import { severalInputsError, spokenKey, spokenKeys } from "./chain-values.js";
import {
  type CrossSessionMemoryOptions,
  memoryOptionChecks,
  type OwnMemoryOptions,
} from "./cross-session-memory-options.js";
import { KeptHistory } from "./kept-history.js";
import { forgetSummary, RollingSummary, type RollingSummaryOptions } from "./rolling-summary.js";
import type { SessionHistory, SessionMessage } from "./session-history.js";

/**
 * Memory for a chain: the user's rules and skills, what was learned in all sessions, and this session's conversation. It
 * stands wherever `BufferMemory` or `ConversationSummaryBufferMemory` does.
 *
 * @throws TypeError or RangeError (`code` `ERR_OPTION_…`) that names the option, the value and the range.
 * @example
 * const memory = new CrossSessionMemory({ dir: "./ai", model });
 * const chain = new ConversationChain({ llm: model, memory });
 */
export class CrossSessionMemory extends BaseMemory {
  readonly workspace: MemoryWorkspace;
  readonly sessionId: string;
  readonly #options: OwnMemoryOptions;
  readonly #memoryKey: string;
  readonly #history: SessionHistory;
  readonly #summary: RollingSummary | undefined;
  /** Turns that are being kept: whoever asks for the conversation, or clears it, comes after them. */
  #keeping: Promise<unknown> = Promise.resolve();

  constructor(options: CrossSessionMemoryOptions = {}) {
    super();
    const { workspace, own } = openDoor<OwnMemoryOptions>(options, memoryOptionChecks);
    const { environment, reporter } = workspace.parts;
    this.workspace = workspace;
    this.sessionId = own.sessionId ?? environment.randomUUID();
    this.#options = own;
    this.#memoryKey = own.memoryKey ?? "history";
    this.#history =
      own.chatHistory === undefined
        ? new KeptHistory(this.sessionId, workspace.store.conversations, environment.randomUUID, reporter)
        : new AppHistory(own.chatHistory);
    this.#summary = this.#rollingSummary(own.rollingSummary);
    // Without LangGraph nobody sets it up, and then no run's config can be seen from within the run.
    AsyncLocalStorageProviderSingleton.initializeGlobalInstance(new AsyncLocalStorage());
  }

  get memoryKeys(): string[] {
    return [this.#memoryKey];
  }

  /**
   * Gives, under `memoryKey`, the context followed by this session's conversation.
   *
   * @throws Error (`code` `ERR_SEVERAL_INPUTS`) where there are several inputs and no `inputKey`, before a model is paid.
   */
  async loadMemoryVariables(values: InputValues): Promise<MemoryVariables> {
    const keys = spokenKeys(values, this.#memoryKey);
    if (this.#options.inputKey === undefined && keys.length > 1) throw severalInputsError(keys);

    const conversation = this.#conversation();
    // Only a summary has to be waited for, so that it fits the messages which it does not cover.
    const summary = this.#summary === undefined ? undefined : (await conversation).summary;
    const [context, { messages }] = await Promise.all([this.#context(values, summary), conversation]);
    return {
      [this.#memoryKey]: this.#options.returnMessages
        ? withContext(messages, context)
        : this.#asText(context, messages),
    };
  }

  /** Records the turn and may start an extraction, in the background. Never rejects. */
  async saveContext(inputValues: InputValues, outputValues: OutputValues): Promise<void> {
    try {
      const said = this.#messagesOf(inputValues, "inputKey");
      const answered = said && this.#messagesOf(outputValues, "outputKey");
      if (said === undefined || answered === undefined) return;
      const isTemporary = this.#isTemporary();
      this.#keeping = this.#keeping.then(() => this.#keep([...lastWords(said), ...answered], isTemporary));
      await Promise.all([
        this.#keeping,
        this.workspace.recordTurn(this.sessionId, [...said, ...answered], { isTemporary }),
      ]);
      this.workspace.parts.reporter.recovered("saving a turn");
    } catch (error) {
      this.#warn("saving a turn", "a turn could not be saved", error);
    }
  }

  /**
   * Forgets this session's conversation and its summary; memories and what waits to be learned stay.
   *
   * @throws where the history can't be removed.
   */
  async clear(): Promise<void> {
    await this.#keeping;
    await this.#summary?.drop();
    await this.#history.clear();
    await forgetSummary(this.workspace.store.sessions, this.sessionId);
  }

  /** What can't be read is left out: a conversation never fails for its memory. */
  async #context(values: InputValues, summary: string | undefined): Promise<string> {
    try {
      const context = await this.workspace.assembleContext({
        sessionId: this.sessionId,
        query: queryOf(() => this.#said(values), this.workspace.parts),
        // Its own or none: one that an earlier memory of this session left is not asked for.
        summary: summary ?? "",
        sessionContext: this.#textOf("sessionContext"),
        planContext: this.#textOf("planContext"),
        isTemporary: this.#isTemporary(),
      });
      const { sessionId, workspace } = this;
      reportContext(this.#options.onContext, context, { sessionId }, workspace.parts);
      workspace.parts.reporter.recovered("assembling");
      return context.text;
    } catch (error) {
      this.#warn("assembling", "the context could not be assembled; going on without", error);
      return "";
    }
  }

  async #conversation(): Promise<{ summary?: string; messages: readonly SessionMessage[] }> {
    try {
      await this.#keeping;
      const history = await this.#history.read();
      this.workspace.parts.reporter.recovered("reading the history");
      return (await this.#summary?.apply(history)) ?? { messages: history };
    } catch (error) {
      this.#warn("reading the history", "the session's history can't be read; going on without", error);
      return { messages: [] };
    }
  }

  /** Never rejects. */
  async #keep(messages: readonly BaseMessage[], isTemporary: boolean): Promise<void> {
    const { reporter, background, isClosed } = this.workspace.parts;
    try {
      const isPrivate = isTemporary || !(await this.workspace.settings.get()).aiMemoryEnabled;
      await this.#history.add(messages, isPrivate);
      reporter.recovered("keeping a turn");
      const summary = this.#summary;
      if (summary === undefined || isPrivate || isClosed()) return;
      background.run(() => summary.condenseIfDue(() => this.#history.read()));
    } catch (error) {
      this.#warn("keeping a turn", "a turn could not be added to the session's history", error);
    }
  }

  #asText(context: string, messages: readonly SessionMessage[]): string {
    const { humanPrefix, aiPrefix } = this.#options;
    const text = conversationText(messagesIn(messages), humanPrefix, aiPrefix);
    return [context, text].filter((part) => part !== "").join("\n\n");
  }

  /** What the user says now, where that can be told. */
  #said(values: InputValues): readonly BaseMessage[] {
    const key = this.#options.inputKey;
    const found = spokenKey(values, { option: "inputKey", memoryKey: this.#memoryKey, key });
    return "key" in found ? toMessages(values[found.key], "user") : [];
  }

  /** What was said or answered; `undefined`, with one warning, where that can't be told. */
  #messagesOf(values: InputValues, option: "inputKey" | "outputKey"): BaseMessage[] | undefined {
    const { reporter } = this.workspace.parts;
    const found = spokenKey(values, { option, memoryKey: this.#memoryKey, key: this.#options[option] });
    if ("problem" in found) {
      reporter.warnOnce(`${option} ${found.problem}`, `a turn is not recorded: ${found.problem}`);
      return undefined;
    }
    const isInput = option === "inputKey";
    const messages = toMessages(values[found.key], isInput ? "user" : "assistant");
    if (messages.length > 0) return messages;
    reporter.warnOnce(
      `empty ${option}`,
      `a turn is not recorded: its ${isInput ? "input" : "output"} is empty`,
    );
    return undefined;
  }

  #textOf(option: "sessionContext" | "planContext"): string | undefined {
    return textFor(option, this.#options[option], undefined, this.workspace.parts);
  }

  #isTemporary(): boolean {
    return this.#options.temporary === true || isTemporaryRun(currentRunConfig());
  }

  #warn(cause: string, message: string, error: unknown): void {
    this.workspace.parts.reporter.warnOnce(cause, `${message} (${faultName(error)})`);
  }

  #rollingSummary(options: RollingSummaryOptions | undefined): RollingSummary | undefined {
    const { options: workspaceOptions, locale, reporter } = this.workspace.parts;
    const { model, extractionTimeoutMs, extractionChunkChars } = workspaceOptions;
    if (options === undefined) return undefined;
    if (model === undefined) {
      throw optionError("ERR_OPTION_RANGE", "rollingSummary", "used with a model", options);
    }
    return new RollingSummary(
      this.sessionId,
      {
        sessions: this.workspace.store.sessions,
        model,
        texts: locale.summary,
        cutMark: locale.extraction.cutMark,
        secretMark: locale.extraction.secretMark,
        timeoutMs: extractionTimeoutMs,
        chunkChars: extractionChunkChars,
        reporter,
      },
      options,
    );
  }
}

function messagesIn(messages: readonly SessionMessage[]): BaseMessage[] {
  return messages.map(({ message }) => message);
}

/** A history of the app's may hold system messages anywhere; strict servers take one, and at the beginning. */
function withContext(messages: readonly SessionMessage[], context: string): BaseMessage[] {
  const conversation = messagesIn(messages);
  if (context === "") return conversation;
  const isSystem = (message: BaseMessage) => message.getType() === "system";
  const others = conversation.filter((message) => !isSystem(message));
  return foldContext([...conversation.filter(isSystem), ...others], context);
}
