import type { BaseMessage } from "@langchain/core/messages";
import { ChatPromptValue } from "@langchain/core/prompt_values";
import { Runnable, type RunnableConfig } from "@langchain/core/runnables";
import { foldContext } from "../messages/fold-context.js";
import type { AnyRunnable } from "./parts.js";

/**
 * A chat prompt that folds the context into what it makes. Its template is not touched: braces in a memory are never read
 * as variables. In events there is the prompt's own run and no other.
 */
export class PromptWithContext extends Runnable<unknown, ChatPromptValue> {
  override lc_namespace = ["langchain_cross_session_memory", "runnable"];
  readonly #prompt: AnyRunnable;
  readonly #context: string;

  constructor(prompt: AnyRunnable, context: string) {
    super();
    this.#prompt = prompt;
    this.#context = context;
  }

  override getName(suffix?: string): string {
    return this.#prompt.getName(suffix);
  }

  override async invoke(input: unknown, options?: Partial<RunnableConfig>): Promise<ChatPromptValue> {
    const value = (await this.#prompt.invoke(input, options)) as { toChatMessages(): BaseMessage[] };
    return new ChatPromptValue(foldContext(value.toChatMessages(), this.#context));
  }
}
