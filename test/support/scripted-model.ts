import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";

/** A text, a whole message, an error to throw, or a function that makes one of these of the request. */
export type ScriptedReply =
  | string
  | AIMessage
  | Error
  | ((messages: BaseMessage[]) => string | AIMessage | Promise<string | AIMessage>);

/**
 * A chat model in this process that says what a test tells it to, in turn (the last reply again and again), and has no
 * structured output. What it was sent is in `requests`.
 */
export class ScriptedModel extends BaseChatModel {
  readonly requests: BaseMessage[][] = [];
  readonly #replies: ScriptedReply[];

  constructor(...replies: ScriptedReply[]) {
    super({});
    this.#replies = replies;
  }

  /** The user message of each request. */
  get prompts(): string[] {
    return this.requests.map((messages) => String(messages.at(-1)?.content));
  }

  override _llmType(): string {
    return "scripted";
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.requests.push(messages);
    const scripted = this.#replies[Math.min(this.requests.length, this.#replies.length) - 1] ?? "[]";
    const reply = typeof scripted === "function" ? await scripted(messages) : scripted;
    if (reply instanceof Error) throw reply;
    const message = typeof reply === "string" ? new AIMessage(reply) : reply;
    return { generations: [{ message, text: typeof message.content === "string" ? message.content : "" }] };
  }
}

/** An error as a provider's client throws it. */
export function providerError(status: number, message = "refused"): Error {
  return Object.assign(new Error(message), { status });
}
