/**
 * Memory for an agent of LangChain's `createAgent`: rules, skills and memories in the system prompt of every model call,
 * and each completed turn recorded, to be learned from in the background.
 *
 * @example
 * const agent = createAgent({
 *   model,
 *   tools,
 *   middleware: [crossSessionMemoryMiddleware({ dir: "./ai" })],
 * });
 */
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { AgentMiddleware } from "langchain";
import { faultName, optionError } from "../errors.js";
import type { ChatModel } from "../memory/extraction/chat-model.js";
import { isMessage } from "../messages/chat-message.js";
import {
  currentRunConfig,
  isTemporaryRun,
  type MemoryRuntime,
  type MemoryWorkspace,
  queryOf,
  type RunConfig,
  type RunUser,
  reportContext,
  runtimeOf,
  sessionOrGlobal,
  textFor,
  userOf,
} from "../workspace/index.js";
import type { CrossSessionMemoryMiddleware } from "./middleware-type.js";
import { type CrossSessionMemoryMiddlewareOptions, type OpenMiddleware, openMiddleware } from "./options.js";
import { type PromptRequest, takeSummary, withPrompt } from "./request-context.js";
import { isRunOfTool } from "./run-of-tool.js";
import { RuntimeStores } from "./runtime-stores.js";
import { addReply, conversationOf, type Turn, Turns } from "./turns.js";

/**
 * Makes the middleware. It keeps nothing in the agent's state: no checkpoint holds a deleted memory, and parallel
 * sub-agents can't collide. Where the workspace has no model, the agent's own extracts.
 *
 * @param workspaceOrOptions The app's workspace, or options. Default: a workspace in `./ai`.
 * @throws TypeError or RangeError (`code` `ERR_OPTION_…`) that names the option, the value and the range.
 */
export function crossSessionMemoryMiddleware(
  workspaceOrOptions?: MemoryWorkspace | CrossSessionMemoryMiddlewareOptions,
): CrossSessionMemoryMiddleware;
export function crossSessionMemoryMiddleware(
  workspaceOrOptions: MemoryWorkspace | CrossSessionMemoryMiddlewareOptions = {},
  second?: unknown,
): CrossSessionMemoryMiddleware {
  // The tools take `(workspace, { userId })`; who writes so here would have all users share one memory.
  if (second !== undefined) {
    throw optionError("ERR_OPTION_TYPE", "options", "one object, such as { workspace, userId }", second);
  }
  const door = new MiddlewareDoor(openMiddleware(workspaceOrOptions));
  const hooks: Pick<AgentMiddleware, "wrapModelCall" | "afterAgent"> = {
    wrapModelCall: async (request, handler) => {
      const { messages } = request.state;
      const turn = door.turnOf(request, request.model as unknown as ChatModel);
      const reply = await handler(await door.withMemory(request, turn));
      door.replied(turn, messages.at(-1), reply);
      return reply;
    },
    afterAgent: async ({ messages }, runtime) => {
      await door.completed(messages, runtime);
    },
  };
  const name = door.name ?? "CrossSessionMemoryMiddleware";
  const middleware = { [middlewareBrand]: true, name, tools: [] as [], ...hooks };
  return middleware;
}

/**
 * `MIDDLEWARE_BRAND` of `langchain`: with it, this is what `createMiddleware` would make. That function is not called, since
 * all of `langchain` would be loaded for it, and a second copy where an app has the other kind of module.
 */
const middlewareBrand = Symbol.for("AgentMiddleware");

interface OpenTurn extends Turn {
  readonly user: RunUser;
}

/** What is read of a model request to tell whose turn it is. */
interface TurnRequest {
  readonly runtime: RunConfig;
  readonly state: { readonly messages: readonly BaseMessage[] };
  readonly tools?: readonly unknown[];
}

/** What the two hooks do. Nothing of it throws into the run. */
class MiddlewareDoor {
  readonly #workspace: MemoryWorkspace;
  readonly #options: OpenMiddleware["own"];
  readonly #runtimeStores: RuntimeStores | undefined;
  readonly #turns = new Turns();

  constructor({ workspace, own, isOverRuntime }: OpenMiddleware) {
    this.#workspace = workspace;
    this.#options = own;
    this.#runtimeStores = isOverRuntime ? new RuntimeStores(workspace) : undefined;
  }

  get name(): string | undefined {
    return this.#options.name;
  }

  turnOf({ runtime, state, tools }: TurnRequest, model: ChatModel): OpenTurn {
    const turn = this.#turns.of(runtime, state.messages, tools);
    return Object.assign(turn, { model, user: this.#userOf(runtime) });
  }

  /** The request with the context in its system message; as it was where there is nothing to say. */
  async withMemory<Request extends PromptRequest & { readonly runtime: RunConfig }>(
    request: Request,
    { user }: OpenTurn,
  ): Promise<Request> {
    const { onContext } = this.#options;
    const { parts } = this.#workspace;
    const runtime = runtimeOf(request.runtime);
    try {
      const { summary, rest } = takeSummary(request.messages);
      const sessionId = sessionOrGlobal(request.runtime, parts.reporter);
      const context = await user.workspace.assembleContext({
        sessionId,
        query: queryOf(() => request.messages, parts),
        // None but the agent's own: a rolling summary is a chain's.
        summary: summary ?? "",
        sessionContext: this.#textOf("sessionContext", runtime),
        planContext: this.#textOf("planContext", runtime),
        isTemporary: user.isUnknown || isTemporaryRun(request.runtime),
      });
      reportContext(
        onContext,
        context,
        { sessionId, ...(user.id !== undefined && { userId: user.id }) },
        parts,
      );
      const changed = context.text === "" ? request : withPrompt(request, context.text, rest);
      parts.reporter.recovered("assembling");
      return changed;
    } catch (error) {
      parts.reporter.warnOnce(
        "assembling",
        `the context could not be assembled (${faultName(error)}); going on without`,
      );
      return request;
    }
  }

  replied(turn: Turn, asked: BaseMessage | undefined, reply: unknown): void {
    // A structured response comes with the messages that make it up.
    const { messages } = (reply ?? {}) as { messages?: unknown };
    const given: unknown[] = Array.isArray(messages) ? messages : [reply];
    addReply(turn, asked, given.filter(isReply));
  }

  async completed(messages: readonly BaseMessage[], runtime: RunConfig): Promise<void> {
    try {
      const turn = this.#turns.of(runtime, messages);
      // The hook's own runtime has the context cut down to a schema of the middleware's, which has none.
      const user = turn.user ?? this.#userOf({ ...runtime, context: currentRunConfig()?.context });
      if (user.isUnknown || isRunOfTool(runtime)) return;
      const sessionId = sessionOrGlobal(runtime, this.#workspace.parts.reporter);
      await user.workspace.recordTurn(sessionId, conversationOf(turn, messages), {
        model: turn.model,
        // Resumed in another process, no model may have been asked in this one yet.
        isModelToCome: true,
        isTemporary: isTemporaryRun(runtime),
      });
    } catch (error) {
      this.#workspace.parts.reporter.warnOnce(
        "recording",
        `a turn could not be recorded (${faultName(error)})`,
      );
    }
  }

  #userOf(run: RunConfig): RunUser {
    const workspace = this.#runtimeStores?.workspaceOf(run) ?? this.#workspace;
    if (this.#runtimeStores !== undefined && workspace === this.#workspace) {
      workspace.parts.reporter.warnOnce(
        "runtime store",
        'store is "runtime" and the agent was made without a store: runs go on without memory and are not recorded',
      );
      return { workspace, id: undefined, isUnknown: true };
    }
    return userOf(this.#options.userId, runtimeOf(run), workspace);
  }

  #textOf(option: "sessionContext" | "planContext", runtime: MemoryRuntime): string | undefined {
    return textFor(option, this.#options[option], runtime, this.#workspace.parts);
  }
}

function isReply(message: unknown): message is AIMessage {
  return isMessage(message) && (message as BaseMessage).getType() === "ai";
}
