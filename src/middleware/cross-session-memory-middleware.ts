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
import { type AgentMiddleware, createMiddleware } from "langchain";
import type { ChatModel } from "../memory/extraction/chat-model.js";
import { isMessage } from "../messages/chat-message.js";
import {
  currentRunConfig,
  isTemporaryRun,
  type MemoryWorkspace,
  type RunConfig,
  reportContext,
  sessionOrGlobal,
} from "../workspace/index.js";
import { type CrossSessionMemoryMiddlewareOptions, type MemoryRuntime, openMiddleware } from "./options.js";
import { type PromptRequest, takeSummary, withPrompt } from "./request-context.js";
import { isRunOfTool } from "./run-of-tool.js";
import { conversationOf, type Turn, Turns, type TurnUser } from "./turns.js";

/**
 * Makes the middleware. It keeps nothing in the agent's state: no checkpoint holds a deleted memory, and parallel
 * sub-agents can't collide. Where the workspace has no model, the agent's own extracts.
 *
 * @param workspaceOrOptions The app's workspace, or options. Default: a workspace in `./ai`.
 * @throws TypeError or RangeError (`code` `ERR_OPTION_…`) that names the option, the value and the range.
 */
export function crossSessionMemoryMiddleware(
  workspaceOrOptions: MemoryWorkspace | CrossSessionMemoryMiddlewareOptions = {},
): AgentMiddleware<undefined, undefined, unknown, readonly []> {
  const { workspace, own } = openMiddleware(workspaceOrOptions);
  const door = new MiddlewareDoor(workspace, own);
  return createMiddleware({
    name: own.name ?? "CrossSessionMemoryMiddleware",
    wrapModelCall: async (request, handler) => {
      const turn = door.turnOf(
        request.state.messages,
        request.model as unknown as ChatModel,
        request.runtime,
      );
      const reply = await handler(await door.withMemory(request, turn));
      door.replied(turn, reply);
      return reply;
    },
    afterAgent: async ({ messages }, runtime) => {
      await door.completed(messages, runtime);
    },
  }) as AgentMiddleware<undefined, undefined, unknown, readonly []>;
}

interface OpenTurn extends Turn {
  readonly user: TurnUser;
}

/** What the two hooks do. Nothing of it throws into the run. */
class MiddlewareDoor {
  readonly #workspace: MemoryWorkspace;
  readonly #options: CrossSessionMemoryMiddlewareOptions;
  readonly #turns = new Turns();

  constructor(workspace: MemoryWorkspace, options: CrossSessionMemoryMiddlewareOptions) {
    this.#workspace = workspace;
    this.#options = options;
  }

  turnOf(messages: readonly BaseMessage[], model: ChatModel, runtime: RunConfig): OpenTurn {
    return Object.assign(this.#turns.of(messages), { model, user: this.#userOf(runtime) });
  }

  /** The request with the context in its system message; as it was where there is nothing to say. */
  async withMemory<Request extends PromptRequest & { readonly runtime: RunConfig }>(
    request: Request,
    { user }: OpenTurn,
  ): Promise<Request> {
    const { sessionContext, planContext, onContext } = this.#options;
    const { parts } = this.#workspace;
    const runtime = runtimeOf(request.runtime);
    try {
      const { summary, rest } = takeSummary(request.messages);
      const context = await user.workspace.assembleContext({
        summary,
        sessionContext: this.#ask(sessionContext, runtime),
        planContext: this.#ask(planContext, runtime),
        isTemporary: user.isUnknown || isTemporaryRun(request.runtime),
      });
      const sessionId = sessionOrGlobal(request.runtime, parts.reporter);
      reportContext(
        onContext,
        context,
        { sessionId, ...(user.id !== undefined && { userId: user.id }) },
        parts,
      );
      return context.text === "" ? request : withPrompt(request, context.text, rest);
    } catch (error) {
      this.#warn("assembling", "the context could not be assembled", error);
      return request;
    }
  }

  replied(turn: Turn, reply: unknown): void {
    // A structured response comes with the messages that make it up.
    const { messages } = (reply ?? {}) as { messages?: unknown };
    for (const one of Array.isArray(messages) ? messages : [reply]) {
      if (isMessage(one) && (one as BaseMessage).getType() === "ai")
        this.#turns.replied(turn, one as AIMessage);
    }
  }

  async completed(messages: readonly BaseMessage[], runtime: RunConfig): Promise<void> {
    try {
      const turn = this.#turns.of(messages);
      // The hook's own runtime has the context cut down to a schema of the middleware's, which has none.
      const user = turn.user ?? this.#userOf({ ...runtime, context: currentRunConfig()?.context });
      if (user.isUnknown || isRunOfTool(runtime)) return;
      const sessionId = sessionOrGlobal(runtime, this.#workspace.parts.reporter);
      await user.workspace.recordTurn(sessionId, conversationOf(turn, messages), {
        model: turn.model,
        isTemporary: isTemporaryRun(runtime),
      });
    } catch (error) {
      this.#warn("recording", "a turn could not be recorded", error);
    }
  }

  #userOf(run: RunConfig): TurnUser {
    const { userId } = this.#options;
    if (userId === undefined) return { workspace: this.#workspace, id: undefined, isUnknown: false };
    const id = this.#ask(userId, runtimeOf(run));
    if (typeof id === "string" && id !== "") {
      this.#workspace.parts.reporter.recovered("userId");
      return { workspace: this.#workspace.forUser(id), id, isUnknown: false };
    }
    this.#workspace.parts.reporter.warnOnce(
      "userId",
      "userId gave no non-empty string for a run: it goes on without memory and is not recorded",
    );
    return { workspace: this.#workspace, id: undefined, isUnknown: true };
  }

  #ask<Answer>(
    option: Answer | ((runtime: MemoryRuntime) => Answer),
    runtime: MemoryRuntime,
  ): Answer | undefined {
    if (typeof option !== "function") return option;
    try {
      return (option as (runtime: MemoryRuntime) => Answer)(runtime);
    } catch (error) {
      this.#warn("option", "a function given as an option threw an error", error);
      return undefined;
    }
  }

  #warn(cause: string, message: string, error: unknown): void {
    const { name } = (error ?? {}) as { name?: unknown };
    this.#workspace.parts.reporter.warnOnce(
      `middleware ${cause}`,
      `${message} (${typeof name === "string" ? name : "unknown reason"})`,
    );
  }
}

function runtimeOf({ context, configurable }: RunConfig): MemoryRuntime {
  const isObject = typeof context === "object" && context !== null;
  return { context: isObject ? (context as Record<string, unknown>) : {}, configurable: configurable ?? {} };
}
