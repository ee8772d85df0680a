import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { ChatModel } from "../memory/extraction/chat-model.js";
import { isAnswer, readMessage } from "../messages/chat-message.js";
import type { RunConfig, RunUser } from "../workspace/index.js";

/** What is known of a turn while its run is going on. */
export interface Turn {
  /** What the user said, with what stood between it and the last answer: a summary may take it out of the state. */
  readonly opening: readonly BaseMessage[];
  /** In order; with a server that gives every reply the same id, the state has lost some. */
  readonly replies: ModelReply[];
  model?: ChatModel | undefined;
  user?: RunUser | undefined;
}

interface ModelReply {
  /** The last message of the state that the model was asked with. */
  readonly asked: BaseMessage | undefined;
  /** More than one where a structured response is made up of them. */
  readonly messages: readonly AIMessage[];
}

/**
 * Finds the turn that a hook is called for. Hooks of one run share neither a runtime nor a state of ours, but the writer of
 * custom stream events is one object for a run, and `checkpoint_ns` tells the runs within it apart. A resumed run is
 * another one, perhaps in another process: there the state alone tells what was said. Nothing outlives the run.
 */
export class Turns {
  readonly #runs = new WeakMap<object, Map<string, Turn>>();

  /**
   * The run's turn; a new one where there is none, or where the run has come to other words of the user.
   *
   * @param tools The agent's, where the hook is told them.
   */
  of(run: RunConfig, messages: readonly BaseMessage[], tools: readonly unknown[] = []): Turn {
    const turns = this.#turnsOf(run.writer);
    const agent = nestedIn(run).join("|");
    const known = turns.get(agent);
    const lastUser = messages.findLast(isUser);
    if (known !== undefined && (lastUser === undefined || isSame(lastUser, known.opening.at(-1)))) {
      return known;
    }
    const turn = begin(messages, tools);
    turns.set(agent, turn);
    return turn;
  }

  #turnsOf(writer: unknown): Map<string, Turn> {
    if (typeof writer !== "function") return new Map();
    const turns = this.#runs.get(writer) ?? new Map<string, Turn>();
    this.#runs.set(writer, turns);
    return turns;
  }
}

/**
 * The graph nodes that a run is nested in, outermost first, as `node:id`: LangGraph names the way to a node in
 * `checkpoint_ns`, `node:id|node:id`.
 */
export function nestedIn({ configurable }: RunConfig): string[] {
  const { checkpoint_ns: way } = configurable ?? {};
  return typeof way === "string" ? way.split("|").slice(0, -1) : [];
}

/** Takes down what the model replied. Asked again with the same state (a retry, a fallback), its earlier reply is void. */
export function addReply(
  { replies }: Turn,
  asked: BaseMessage | undefined,
  messages: readonly AIMessage[],
): void {
  const earlier = replies.findIndex((reply) => reply.asked === asked);
  if (earlier !== -1) replies.splice(earlier);
  replies.push({ asked, messages });
}

/** The whole turn: the state's end of it, or, where the state has lost replies, those that the model gave. */
export function conversationOf(turn: Turn, messages: readonly BaseMessage[]): BaseMessage[] {
  const answer = messages.slice(messages.findLastIndex(isUser) + 1);
  const replies = turn.replies.flatMap((reply) => reply.messages);
  const isWhole = answer.filter((message) => message.getType() === "ai").length >= replies.length;
  return [...turn.opening, ...(isWhole ? answer : replies)];
}

function begin(messages: readonly BaseMessage[], tools: readonly unknown[]): Turn {
  const lastUser = messages.findLastIndex(isUser);
  const answering = new Set(tools.filter(isReturnDirect).map(({ name }) => name));
  const previousEnd = messages
    .slice(0, lastUser + 1)
    .findLastIndex((message) => endsTurn(message) || isResultOf(answering, message));
  return { opening: messages.slice(previousEnd + 1, lastUser + 1), replies: [] };
}

/** What such a tool returns is the agent's answer: no model is asked after it. */
function isReturnDirect(tool: unknown): tool is { readonly name: string } {
  const { name, returnDirect } = (tool ?? {}) as { name?: unknown; returnDirect?: unknown };
  return returnDirect === true && typeof name === "string";
}

function isResultOf(tools: ReadonlySet<string>, message: BaseMessage): boolean {
  return message.getType() === "tool" && tools.has(message.name ?? "");
}

/** Other middleware may put a changed copy in a message's place. */
function isSame(message: BaseMessage, other: BaseMessage | undefined): boolean {
  return message === other || (message.id !== undefined && message.id === other?.id);
}

function isUser(message: BaseMessage): boolean {
  return readMessage(message)?.role === "user";
}

function endsTurn(message: BaseMessage): boolean {
  const read = readMessage(message);
  return read !== undefined && isAnswer(read);
}
