import type { BaseMessage } from "@langchain/core/messages";
import { ensureConfig, Runnable, type RunnableConfig } from "@langchain/core/runnables";
import { concat } from "@langchain/core/utils/stream";
import type { SessionHistory } from "../memory/session-history.js";
import { KeptHistory } from "../memory/kept-history.js";
import { conversationText } from "../messages/conversation-text.js";
import { foldContext } from "../messages/fold-context.js";
import {
  isTemporaryRun,
  type MemoryWorkspace,
  type RunConfig,
  reportContext,
  sessionOf,
} from "../workspace/index.js";
import { withFoldedContext } from "./fold-prompt.js";
import type { OwnRunnableOptions } from "./options.js";
import { asValues, isConversation, messagesOf } from "./said.js";
import { type AnyRunnable, placeOf, type RunnableShape, shapeOf } from "./shape.js";

/** So many sessions' conversations are kept in memory at once; the others are read again when they go on. */
const maxOpenSessions = 100;

/** A run with its memory: what to call with what, and where its turn goes. */
interface Run {
  readonly runnable: AnyRunnable;
  readonly input: unknown;
  readonly said: readonly BaseMessage[] | undefined;
  readonly workspace: MemoryWorkspace | undefined;
  readonly sessionId: string;
  readonly history: SessionHistory | undefined;
  readonly isTemporary: boolean;
}

/** The wrapper itself leaves no trace in events: the run is that of what it wraps. */
export class MemoryRunnable<Input, Output, Config extends RunnableConfig> extends Runnable<
  Input,
  Output,
  Config
> {
  override lc_namespace = ["langchain_cross_session_memory", "runnable"];
  override lc_serializable = false;
  readonly #inner: Runnable<Input, Output>;
  readonly #workspace: MemoryWorkspace;
  readonly #options: OwnRunnableOptions;
  readonly #shape: RunnableShape;
  readonly #memoryKey: string;
  readonly #sessionId: string;
  readonly #histories = new Map<string, SessionHistory>();

  constructor(inner: Runnable<Input, Output>, workspace: MemoryWorkspace, options: OwnRunnableOptions) {
    super();
    this.#inner = inner;
    this.#workspace = workspace;
    this.#options = options;
    this.#shape = shapeOf(inner);
    this.#memoryKey = options.memoryKey ?? "history";
    this.#sessionId = options.sessionId ?? workspace.parts.environment.randomUUID();
  }

  override async invoke(input: Input, options?: Partial<RunnableConfig>): Promise<Output> {
    const config = ensureConfig(options);
    const run = await this.#begin(input, config);
    const output = await run.runnable.invoke(run.input, config);
    await this.#complete(run, output);
    return output;
  }

  override async *_streamIterator(input: Input, options?: Partial<RunnableConfig>): AsyncGenerator<Output> {
    const config = ensureConfig(options);
    const run = await this.#begin(input, config);
    let output: Output | undefined;
    for await (const chunk of await run.runnable.stream(run.input, config)) {
      output = output === undefined ? chunk : concat(output, chunk);
      yield chunk;
    }
    // Whoever leaves the stream early never comes here, nor does a failure.
    await this.#complete(run, output);
  }

  async #begin(input: Input, config: RunConfig): Promise<Run> {
    const sessionId = sessionOf(config) ?? this.#sessionId;
    const { workspace, userId } = this.#userOf(config);
    const isTemporary = workspace === undefined || isTemporaryRun(config);
    const history = workspace && this.#historyOf(workspace, userId, sessionId);
    const said = messagesOf(input, "user", this.#options.inputKey, this.#memoryKey);
    const bare = { runnable: this.#inner, input, said, workspace, sessionId, history, isTemporary };
    try {
      const context = await (workspace ?? this.#workspace).assembleContext({
        sessionContext: this.#ask(this.#options.sessionContext, config),
        planContext: this.#ask(this.#options.planContext, config),
        isTemporary,
      });
      reportContext(
        this.#options.onContext,
        context,
        { sessionId, ...(userId && { userId }) },
        this.#workspace.parts,
      );
      const messages = said !== undefined && isConversation(said) ? [] : ((await history?.read()) ?? []);
      return {
        ...bare,
        ...this.#withMemory(
          input,
          context.text,
          messages.map(({ message }) => message),
        ),
      };
    } catch (error) {
      this.#warn("assembling", "the context could not be assembled", error);
      return bare;
    }
  }

  #withMemory(input: Input, context: string, conversation: readonly BaseMessage[]) {
    const shape = this.#shape;
    if (shape.kind === "model") {
      const messages = messagesOf(input, "user", undefined, this.#memoryKey) ?? [];
      return { runnable: this.#inner as AnyRunnable, input: placeHistory(messages, conversation, context) };
    }
    if (shape.kind === "prompt") {
      const place = placeOf(shape.prompt, this.#memoryKey);
      const text = place === "text" ? conversationText(conversation) : conversation;
      const values = this.#promptValues(input, shape.prompt.inputVariables);
      return {
        runnable: context === "" ? (this.#inner as AnyRunnable) : withFoldedContext(this.#inner, context),
        // A conversation that the app gives itself stays.
        input:
          place === "none" || values === undefined
            ? (values ?? input)
            : { [this.#memoryKey]: text, ...values },
      };
    }
    const values = asValues(input);
    if (values === undefined) {
      this.#workspace.parts.reporter.warnOnce(
        "no place for the context",
        "the wrapped runnable takes no object and does not begin with a chat prompt: it gets no context",
      );
      return { runnable: this.#inner as AnyRunnable, input };
    }
    const text = [context, conversationText(conversation)].filter((part) => part !== "").join("\n\n");
    return { runnable: this.#inner as AnyRunnable, input: { ...values, [this.#memoryKey]: text } };
  }

  /** A prompt takes named values; a string or messages are the value of its only variable. */
  #promptValues(input: unknown, variables: readonly string[]): Readonly<Record<string, unknown>> | undefined {
    const values = asValues(input);
    if (values !== undefined) return values;
    const others = variables.filter((name) => name !== this.#memoryKey);
    const key = this.#options.inputKey ?? (others.length === 1 ? others[0] : undefined);
    return key === undefined ? undefined : { [key]: input };
  }

  async #complete(run: Run, output: unknown): Promise<void> {
    const { workspace, history, sessionId, isTemporary, said } = run;
    if (workspace === undefined) return;
    try {
      const answered = messagesOf(output, "assistant", this.#options.outputKey, this.#memoryKey);
      if (said === undefined) this.#warnUnrecorded("inputs", "inputKey");
      if (answered === undefined) this.#warnUnrecorded("outputs", "outputKey");
      if (said === undefined || answered === undefined || answered.length === 0) return;
      const { aiMemoryEnabled } = await workspace.settings.get();
      await Promise.all([
        history?.add([...lastWords(said), ...answered], isTemporary || !aiMemoryEnabled),
        workspace.recordTurn(sessionId, [...said, ...answered], {
          isTemporary,
          model: this.#fallbackModel(),
        }),
      ]);
    } catch (error) {
      this.#warn("recording", "a turn could not be recorded", error);
    }
  }

  /** A bare chat model extracts from its own conversations where the workspace has no model. */
  #fallbackModel() {
    return this.#shape.kind === "model" ? this.#inner : undefined;
  }

  #userOf(config: RunConfig): { workspace: MemoryWorkspace | undefined; userId: string | undefined } {
    const { userId } = this.#options;
    if (userId === undefined) return { workspace: this.#workspace, userId: undefined };
    const id = this.#ask(userId, config);
    if (typeof id === "string" && id !== "") return { workspace: this.#workspace.forUser(id), userId: id };
    this.#workspace.parts.reporter.warnOnce(
      "userId",
      "userId gave no non-empty string for a run: it goes on without memory and is not recorded",
    );
    return { workspace: undefined, userId: undefined };
  }

  #historyOf(workspace: MemoryWorkspace, userId: string | undefined, sessionId: string): SessionHistory {
    const key = JSON.stringify([userId, sessionId]);
    const { environment, reporter } = workspace.parts;
    const history =
      this.#histories.get(key) ??
      new KeptHistory(sessionId, workspace.store.conversations, environment.randomUUID, reporter);
    this.#histories.delete(key);
    this.#histories.set(key, history);
    for (const oldest of [...this.#histories.keys()].slice(0, -maxOpenSessions))
      this.#histories.delete(oldest);
    return history;
  }

  #ask<Answer>(option: Answer | ((config: RunConfig) => Answer), config: RunConfig): Answer | undefined {
    if (typeof option !== "function") return option;
    try {
      return (option as (config: RunConfig) => Answer)(config);
    } catch (error) {
      this.#warn("option", "a function given as an option threw an error", error);
      return undefined;
    }
  }

  #warnUnrecorded(values: string, option: string): void {
    this.#workspace.parts.reporter.warnOnce(
      `unrecorded ${option}`,
      `a turn is not recorded: which of its ${values} holds the words can't be told; set ${option} to one that is there`,
    );
  }

  #warn(cause: string, message: string, error: unknown): void {
    const { name } = (error ?? {}) as { name?: unknown };
    this.#workspace.parts.reporter.warnOnce(
      `runnable ${cause}`,
      `${message} (${typeof name === "string" ? name : "unknown reason"})`,
    );
  }
}

/** System message first, then the session so far, then what is new. */
function placeHistory(
  messages: readonly BaseMessage[],
  conversation: readonly BaseMessage[],
  context: string,
): BaseMessage[] {
  const isSystem = (message: BaseMessage) => message.getType() === "system";
  const system = messages.filter(isSystem);
  return foldContext(
    [...system, ...conversation, ...messages.filter((message) => !isSystem(message))],
    context,
  );
}

/** A conversation that went in whole is in the history already, up to the last answer. */
function lastWords(said: readonly BaseMessage[]): BaseMessage[] {
  const previousAnswer = said.findLastIndex((message) => message.getType() === "ai");
  return said.slice(previousAnswer + 1).filter((message) => message.getType() !== "system");
}
