import { type AnyRunnable, startsOf, stepsOf } from "./parts.js";

/** What a runnable takes, and so where its memory goes. */
export type RunnableShape =
  /** It is a chat prompt or begins with one (with fallbacks, several): named values, or the only one of them. */
  | { readonly kind: "prompt"; readonly prompts: readonly ChatPrompt[] }
  /** It is a chat model or begins with one: messages. */
  | { readonly kind: "model"; readonly model: AnyRunnable }
  /** A chat prompt comes later, and does not take the memory as text. */
  | { readonly kind: "laterPrompt"; readonly prompts: readonly ChatPrompt[] }
  /** Nothing is known of it. */
  | { readonly kind: "other" };

export type ChatPrompt = AnyRunnable & {
  readonly inputVariables: readonly string[];
  readonly promptMessages: readonly unknown[];
};

export function shapeOf(runnable: AnyRunnable, memoryKey: string): RunnableShape {
  const starts = startsOf(runnable);
  const prompts = starts.filter(isChatPrompt);
  if (prompts.length > 0) return { kind: "prompt", prompts };
  const model = starts.find(isChatModel);
  if (model !== undefined) return { kind: "model", model };
  const later = stepsOf(runnable).find(isChatPrompt);
  return later !== undefined && placeOf(later, memoryKey) !== "text"
    ? { kind: "laterPrompt", prompts: [later] }
    : { kind: "other" };
}

/** Whether the prompt takes the conversation as messages, as text, or not at all. */
export function placeOf(
  { promptMessages, inputVariables }: ChatPrompt,
  memoryKey: string,
): "messages" | "text" | "none" {
  const isPlaceholder = (message: unknown) =>
    (message as { variableName?: unknown } | undefined)?.variableName === memoryKey;
  if (promptMessages.some(isPlaceholder)) return "messages";
  return inputVariables.includes(memoryKey) ? "text" : "none";
}

function isChatPrompt(runnable: AnyRunnable): runnable is ChatPrompt {
  const { promptMessages, inputVariables } = runnable as Partial<ChatPrompt>;
  return Array.isArray(promptMessages) && Array.isArray(inputVariables);
}

function isChatModel(runnable: AnyRunnable): boolean {
  const { _modelType: modelType } = runnable as unknown as { _modelType?: unknown };
  return typeof modelType === "function" && modelType.call(runnable) === "base_chat_model";
}
