import {
  BaseMemory,
  type InputValues,
  type MemoryVariables,
  type OutputValues,
} from "@langchain/core/memory";
import { type BaseMessage, SystemMessage } from "@langchain/core/messages";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { optionError } from "../errors.js";
import { readMessage } from "../messages/chat-message.js";
import { toMessages } from "../messages/to-messages.js";
import { MemoryWorkspace } from "../workspace/index.js";
import { type CrossSessionMemoryOptions, splitOptions } from "./cross-session-memory-options.js";
import { RollingSummary, type RollingSummaryOptions } from "./rolling-summary.js";
import { AppHistory, KeptHistory, type SessionHistory, type SessionMessage } from "./session-history.js";
import { emptySessionRecord, type SessionRecord } from "./session-record.js";

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
  readonly #options: CrossSessionMemoryOptions;
  readonly #memoryKey: string;
  readonly #history: SessionHistory;
  readonly #summary: RollingSummary | undefined;

  constructor(options: CrossSessionMemoryOptions = {}) {
    super();
    const { workspaceOptions, ownOptions } = splitOptions(options);
    this.workspace = ownOptions.workspace ?? new MemoryWorkspace(workspaceOptions);
    const { environment, reporter } = this.workspace.parts;
    this.sessionId = ownOptions.sessionId ?? environment.randomUUID();
    this.#options = ownOptions;
    this.#memoryKey = ownOptions.memoryKey ?? "history";
    this.#history =
      ownOptions.chatHistory === undefined
        ? new KeptHistory(
            this.sessionId,
            this.workspace.store.conversations,
            environment.randomUUID,
            reporter,
          )
        : new AppHistory(ownOptions.chatHistory);
    this.#summary = this.#rollingSummary(ownOptions.rollingSummary);
  }

  get memoryKeys(): string[] {
    return [this.#memoryKey];
  }

  /**
   * Gives, under `memoryKey`, the context followed by this session's conversation.
   *
   * @throws Error where there are several inputs and no `inputKey`, before a model is paid.
   */
  async loadMemoryVariables(values: InputValues): Promise<MemoryVariables> {
    this.#checkInputs(values);
    const isTemporary = this.#isTemporary();
    const { summary, messages } = await this.#conversation();
    const { text } = await this.workspace.assembleContext({
      summary,
      sessionContext: current(this.#options.sessionContext),
      planContext: current(this.#options.planContext),
      isTemporary,
    });
    return {
      [this.#memoryKey]: this.#options.returnMessages
        ? withSystem(text, messages)
        : this.#asText(text, messages),
    };
  }

  /** Records the turn and may start an extraction, in the background. Never rejects. */
  async saveContext(inputValues: InputValues, outputValues: OutputValues): Promise<void> {
    const { reporter, background } = this.workspace.parts;
    try {
      const input = this.#pick(inputValues, "inputKey");
      const output = this.#pick(outputValues, "outputKey");
      if (input === undefined || output === undefined) return;
      const said = toMessages(input.value, "user");
      const answered = toMessages(output.value, "assistant");
      const isTemporary = this.#isTemporary();
      const { aiMemoryEnabled } = await this.workspace.settings.get();
      await Promise.all([
        this.#history.add([...lastUserMessages(said), ...answered], isTemporary || !aiMemoryEnabled),
        this.workspace.recordTurn(this.sessionId, [...said, ...answered], { isTemporary }),
      ]);
      const summary = this.#summary;
      if (summary !== undefined && aiMemoryEnabled && !isTemporary) {
        background.run(async () => summary.condenseIfDue(await this.#history.read()));
      }
      reporter.recovered("saving a turn");
    } catch (error) {
      const { name } = (error ?? {}) as { name?: unknown };
      reporter.warnOnce(
        "saving a turn",
        `a turn could not be saved (${typeof name === "string" ? name : "unknown"})`,
      );
    }
  }

  /** Forgets this session's conversation and its summary; memories and what waits to be learned stay. */
  async clear(): Promise<void> {
    await this.#history.clear();
    const { sessions } = this.workspace.store;
    if ((await sessions.read(this.sessionId))?.summary === undefined) return;
    await sessions.change(this.sessionId, (record = emptySessionRecord(this.sessionId)) =>
      withoutSummary(record),
    );
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

  async #conversation(): Promise<{ summary?: string; messages: readonly SessionMessage[] }> {
    const { reporter } = this.workspace.parts;
    try {
      const history = await this.#history.read();
      reporter.recovered("reading the history");
      return (await this.#summary?.apply(history)) ?? { messages: history };
    } catch {
      reporter.warnOnce("reading the history", "the session's history can't be read; going on without");
      return { messages: [] };
    }
  }

  #asText(context: string, messages: readonly SessionMessage[]): string {
    const { humanPrefix = "Human", aiPrefix = "AI" } = this.#options;
    const prefixes = {
      user: humanPrefix,
      assistant: aiPrefix,
      system: "System",
      tool: "Tool",
      summary: "System",
      other: "Chat",
    };
    const lines = messages.map(({ message }) => {
      const { role, text } = readMessage(message) ?? { role: "other", text: "" };
      return `${prefixes[role]}: ${text}`;
    });
    return [context, lines.join("\n")].filter((part) => part !== "").join("\n\n");
  }

  #checkInputs(values: InputValues): void {
    const keys = this.#keysOf(values);
    if (this.#options.inputKey !== undefined || keys.length <= 1) return;
    throw Object.assign(
      new Error(
        `the chain has several inputs (${keys.join(", ")}): set inputKey to the one that the user said`,
      ),
      { code: "ERR_SEVERAL_INPUTS" },
    );
  }

  /** The one value that was said; `undefined`, with one warning, where that can't be told. */
  #pick(values: InputValues, option: "inputKey" | "outputKey"): { readonly value: unknown } | undefined {
    const keys = this.#keysOf(values);
    const key = this.#options[option] ?? (keys.length === 1 ? keys[0] : undefined);
    if (key !== undefined && key in values) return { value: values[key] };
    const found = keys.length === 0 ? "none" : keys.join(", ");
    const wanted = key === undefined ? "" : `, none of which is ${JSON.stringify(key)}`;
    this.workspace.parts.reporter.warnOnce(
      `${option} ${found}`,
      `a turn is not recorded: its ${option === "inputKey" ? "inputs" : "outputs"} are ${found}${wanted}; set ${option}`,
    );
    return undefined;
  }

  #keysOf(values: InputValues): string[] {
    return Object.keys(values).filter((key) => key !== this.#memoryKey && !runKeys.has(key));
  }

  #isTemporary(): boolean {
    if (this.#options.temporary === true) return true;
    return AsyncLocalStorageProviderSingleton.getRunnableConfig()?.configurable?.memory === "off";
  }
}

/** What a chain is called with beside its inputs. */
const runKeys = new Set(["stop", "signal", "timeout"]);

function current(text: string | (() => string | undefined) | undefined): string | undefined {
  return typeof text === "function" ? text() : text;
}

function withoutSummary({ summary, summaryUpTo, ...record }: SessionRecord): SessionRecord {
  return record;
}

function withSystem(context: string, messages: readonly SessionMessage[]): BaseMessage[] {
  const conversation = messages.map(({ message }) => message);
  return context === "" ? conversation : [new SystemMessage(context), ...conversation];
}

/** An input may be a whole conversation: what comes before the last answer is in the history already. */
function lastUserMessages(said: readonly BaseMessage[]): BaseMessage[] {
  const previousAnswer = said.findLastIndex((message) => message.getType() === "ai");
  return said.slice(previousAnswer + 1).filter((message) => message.getType() !== "system");
}
