import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { ChatModel } from "../memory/extraction/chat-model.js";
import { readMessage } from "../messages/chat-message.js";
import type { MemoryWorkspace } from "../workspace/index.js";

/** What is known of a turn while its run is going on. */
export interface Turn {
  /** What the user said, with what stood between it and the last answer. */
  readonly opening: readonly BaseMessage[];
  /** The model's replies in order: with a server that gives every reply the same id, the state has lost some. */
  readonly replies: AIMessage[];
  model?: ChatModel | undefined;
  user?: TurnUser | undefined;
}

/** Whose turn it is. */
export interface TurnUser {
  readonly workspace: MemoryWorkspace;
  readonly id: string | undefined;
  /** The app has users and this run has none: nothing is injected from or recorded to anybody's memories. */
  readonly isUnknown: boolean;
}

/**
 * Finds the turn that a hook is called for. Hooks of one run share neither a runtime nor a state of ours, but the run's
 * message objects are the same in all of them; what a checkpoint brings back are new ones, and then the state alone
 * tells what was said. Nothing is kept beyond the messages themselves.
 */
export class Turns {
  readonly #turns = new WeakMap<BaseMessage, Turn>();

  /** The turn of the last message that belongs to one; a new one where there is none. */
  of(messages: readonly BaseMessage[]): Turn {
    for (let index = messages.length - 1; index >= 0; index--) {
      const message = messages[index] as BaseMessage;
      const turn = this.#turns.get(message);
      if (turn !== undefined) return turn;
      if (isUser(message)) break;
    }
    return this.#begin(messages);
  }

  replied(turn: Turn, reply: AIMessage): void {
    turn.replies.push(reply);
    this.#turns.set(reply, turn);
  }

  #begin(messages: readonly BaseMessage[]): Turn {
    const lastUser = messages.findLastIndex(isUser);
    const previousAnswer = messages.slice(0, lastUser + 1).findLastIndex(isAnswer);
    const turn: Turn = { opening: messages.slice(previousAnswer + 1, lastUser + 1), replies: [] };
    const last = messages[lastUser];
    if (last !== undefined) this.#turns.set(last, turn);
    return turn;
  }
}

/** The whole turn: the state's end of it, or, where the state has lost replies, those that the model gave. */
export function conversationOf(turn: Turn, messages: readonly BaseMessage[]): BaseMessage[] {
  const answer = messages.slice(messages.findLastIndex(isUser) + 1);
  const isWhole = answer.filter((message) => message.getType() === "ai").length >= turn.replies.length;
  return [...turn.opening, ...(isWhole ? answer : turn.replies)];
}

function isUser(message: BaseMessage): boolean {
  return readMessage(message)?.role === "user";
}

function isAnswer(message: BaseMessage): boolean {
  const read = readMessage(message);
  return read?.role === "assistant" && !read.callsTools;
}
