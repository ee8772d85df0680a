import type { BaseMessage } from "@langchain/core/messages";
import type { Runnable, RunnableConfig } from "@langchain/core/runnables";

/** What the wrapper can do with a runnable: told by shape, since it may come from another copy of LangChain. */
export type RunnableShape =
  /** It is a chat prompt or begins with one: the context goes into the prompt's first system message. */
  | { readonly kind: "prompt"; readonly prompt: ChatPrompt }
  /** A bare chat model: context and conversation are put before the messages. */
  | { readonly kind: "model" }
  /** Anything else gets them as a variable. */
  | { readonly kind: "other" };

export interface ChatPrompt {
  readonly inputVariables: readonly string[];
  readonly promptMessages: readonly unknown[];
}

// biome-ignore lint/suspicious/noExplicitAny: a runnable of any input and output.
export type AnyRunnable = Runnable<any, any>;

export function shapeOf(runnable: AnyRunnable): RunnableShape {
  const bound = boundOf(runnable);
  if (bound !== undefined) return shapeOf(bound);
  if (isChatPrompt(runnable)) return { kind: "prompt", prompt: runnable };
  if (isChatModel(runnable)) return { kind: "model" };
  const [first] = stepsOf(runnable) ?? [];
  return first !== undefined && shapeOf(first).kind === "prompt" ? shapeOf(first) : { kind: "other" };
}

/** The steps of a sequence, or the one step that anything else is. */
export function stepsOf(runnable: AnyRunnable): AnyRunnable[] | undefined {
  const { first, middle, last } = runnable as unknown as {
    first?: AnyRunnable;
    middle?: AnyRunnable[];
    last?: AnyRunnable;
  };
  return first !== undefined && last !== undefined && Array.isArray(middle)
    ? [first, ...middle, last]
    : undefined;
}

/** What `withConfig` and `bind` wrap. */
export function boundOf(runnable: AnyRunnable): AnyRunnable | undefined {
  const { bound } = runnable as unknown as { bound?: AnyRunnable };
  return typeof bound?.invoke === "function" ? bound : undefined;
}

/** Whether the prompt takes the conversation as messages, as text, or not at all. */
export function placeOf(prompt: ChatPrompt, memoryKey: string): "messages" | "text" | "none" {
  const isPlaceholder = (message: unknown) =>
    (message as { variableName?: unknown })?.variableName === memoryKey;
  if (prompt.promptMessages.some(isPlaceholder)) return "messages";
  return prompt.inputVariables.includes(memoryKey) ? "text" : "none";
}

export type RunOptions = Partial<RunnableConfig> | undefined;

/** What a prompt gives to the next step. */
export interface PromptValue {
  toChatMessages(): BaseMessage[];
}

function isChatPrompt(runnable: unknown): runnable is ChatPrompt {
  const { promptMessages, inputVariables } = runnable as Partial<ChatPrompt>;
  return Array.isArray(promptMessages) && Array.isArray(inputVariables);
}

function isChatModel(runnable: unknown): boolean {
  const { _modelType: modelType } = runnable as { _modelType?: unknown };
  return typeof modelType === "function" && modelType.call(runnable) === "base_chat_model";
}
