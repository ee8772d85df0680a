import type { BaseMessage } from "@langchain/core/messages";
import { ensureConfig, Runnable, type RunnableConfig } from "@langchain/core/runnables";
import { faultName } from "../errors.js";
import { spokenKey } from "../memory/chain-values.js";
import { toMessages } from "../messages/to-messages.js";
import {
  isTemporaryRun,
  type MemoryWorkspace,
  queryOf,
  type RunConfig,
  reportContext,
  sessionOf,
  textFor,
  userOf,
} from "../workspace/index.js";
import { OpenHistories } from "./open-histories.js";
import type { OwnRunnableOptions } from "./options.js";
import { recordTurn, type Turn } from "./record-turn.js";
import { type Call, takesConversation, withMemory } from "./run-input.js";
import { asValues, isConversation, standingConversation } from "./said.js";
import { type RunnableShape, shapeOf } from "./shape.js";
import { isWithinTool } from "./within-tool.js";

/** The wrapper itself leaves no trace in events: the run is that of what it wraps. */
export class MemoryRunnable<Input, Output, CallOptions extends RunnableConfig> extends Runnable<
  Input,
  Output,
  CallOptions
> {
  override lc_namespace = ["langchain_cross_session_memory", "runnable"];
  readonly #inner: Runnable<Input, Output, CallOptions>;
  readonly #workspace: MemoryWorkspace;
  readonly #options: OwnRunnableOptions;
  readonly #memoryKey: string;
  readonly #sessionId: string;
  readonly #shape: RunnableShape;
  readonly #histories = new OpenHistories();

  constructor(
    inner: Runnable<Input, Output, CallOptions>,
    workspace: MemoryWorkspace,
    options: OwnRunnableOptions,
  ) {
    super();
    this.#inner = inner;
    this.#workspace = workspace;
    this.#options = options;
    this.#memoryKey = options.memoryKey ?? "history";
    this.#sessionId = options.sessionId ?? workspace.parts.environment.randomUUID();
    this.#shape = shapeOf(inner, this.#memoryKey);
  }

  override getName(suffix?: string): string {
    return this.#inner.getName(suffix);
  }

  override async invoke(input: Input, options?: Partial<CallOptions>): Promise<Output> {
    const config = ensureConfig(options as CallOptions | undefined);
    const { call, turn } = await this.#begin(input, config);
    const output = await call.runnable.invoke(call.input, config);
    await this.#complete(turn, output);
    return output;
  }

  override async *_streamIterator(input: Input, options?: Partial<CallOptions>): AsyncGenerator<Output> {
    const config = ensureConfig(options as CallOptions | undefined);
    const { call, turn } = await this.#begin(input, config);
    const pieces: Output[] = [];
    for await (const piece of await call.runnable.stream(call.input, config)) {
      pieces.push(piece);
      yield piece;
    }
    // Whoever leaves the stream early never comes here, nor does a failure. What is wrapped may not heed the signal.
    if (config.signal?.aborted !== true) await this.#complete(turn, this.#joined(pieces));
  }

  /** As what is wrapped does it: some parsers give the whole answer so far in each piece. */
  override _concatOutputChunks<Piece>(first: Piece, second: Piece): Piece {
    return this.#inner._concatOutputChunks(first, second);
  }

  async #begin(input: Input, config: RunConfig): Promise<{ call: Call; turn: Turn | undefined }> {
    const bare: Call = { runnable: this.#inner, input };
    let turn: Turn | undefined;
    try {
      turn = this.#open(input, config);
      const call = await this.#withMemory(bare, turn, config);
      this.#workspace.parts.reporter.recovered("runnable assembling");
      return { call, turn };
    } catch (error) {
      this.#warn("assembling", "the context could not be assembled; going on without", error);
      return { call: bare, turn };
    }
  }

  #open(input: Input, config: RunConfig): Turn {
    const user = userOf(this.#options.userId, config, this.#workspace);
    const sessionId = sessionOf(config) ?? this.#sessionId;
    const isRecorded = !user.isUnknown && !isWithinTool(config);
    return {
      sessionId,
      user,
      isTemporary: user.isUnknown || isTemporaryRun(config),
      said: this.#messagesOf(input, "inputKey"),
      history: isRecorded ? this.#histories.of(user.workspace, user.id, sessionId) : undefined,
      before: [],
    };
  }

  async #withMemory(bare: Call, turn: Turn, config: RunConfig): Promise<Call> {
    const { sessionContext, planContext, onContext, inputKey } = this.#options;
    const { parts } = this.#workspace;
    const { sessionId, user, isTemporary } = turn;
    const [context, conversation] = await Promise.all([
      user.workspace.assembleContext({
        sessionId,
        query: queryOf(() => turn.said ?? [], parts),
        // None: a rolling summary is a chain's.
        summary: "",
        sessionContext: textFor("sessionContext", sessionContext, config, parts),
        planContext: textFor("planContext", planContext, config, parts),
        isTemporary,
      }),
      this.#conversation(turn),
    ]);
    turn.before = conversation;
    reportContext(
      onContext,
      context,
      { sessionId, ...(user.id !== undefined && { userId: user.id }) },
      parts,
    );
    const keys = { memoryKey: this.#memoryKey, inputKey };
    const call = withMemory(bare, this.#shape, { context: context.text, conversation }, keys);
    if (call !== undefined) return call;
    parts.reporter.warnOnce(
      "no place for the context",
      "the wrapped runnable takes a text, and does not begin with a chat prompt or a chat model: it gets no context",
    );
    return bare;
  }

  async #conversation({ said, history }: Turn): Promise<readonly BaseMessage[]> {
    if (history === undefined || !takesConversation(this.#shape, this.#memoryKey)) return [];
    if (said !== undefined && isConversation(said)) return [];
    const kept = (await history.read()).map(({ message }) => message);
    return standingConversation(kept, said ?? []);
  }

  /** Nothing in here costs the app the answer that it has. */
  async #complete(turn: Turn | undefined, output: unknown): Promise<void> {
    if (turn?.said === undefined || turn.history === undefined) return;
    try {
      const answered = this.#messagesOf(output, "outputKey");
      if (answered === undefined) return;
      await recordTurn(turn, turn.said, answered, this.#shape);
      this.#workspace.parts.reporter.recovered("runnable recording");
    } catch (error) {
      this.#warn("recording", "a turn could not be recorded", error);
    }
  }

  /** What was said or answered; `undefined`, with one warning, where that can't be told. */
  #messagesOf(value: unknown, option: "inputKey" | "outputKey"): BaseMessage[] | undefined {
    const speaker = option === "inputKey" ? "user" : "assistant";
    const values = asValues(value);
    if (values === undefined) return toMessages(value, speaker);
    const found = spokenKey(values, { option, memoryKey: this.#memoryKey, key: this.#options[option] });
    if ("key" in found) return toMessages(values[found.key], speaker);
    const { reporter } = this.#workspace.parts;
    reporter.warnOnce(`${option} ${found.problem}`, `a turn is not recorded: ${found.problem}`);
    return undefined;
  }

  /** `undefined` where the pieces can't be put together: they bear nothing that could be recorded. */
  #joined(pieces: readonly Output[]): unknown {
    try {
      return pieces.reduce<Output | undefined>(
        (whole, piece) => (whole === undefined ? piece : this.#inner._concatOutputChunks(whole, piece)),
        undefined,
      );
    } catch {
      return undefined;
    }
  }

  /** Never with the error's message, which may quote what was said. */
  #warn(cause: string, message: string, error: unknown): void {
    this.#workspace.parts.reporter.warnOnce(`runnable ${cause}`, `${message} (${faultName(error)})`);
  }
}
