import { type AnyRunnable, leavesOf, startsOf, stepsOf } from "./parts.js";

/** What a runnable takes, and so where its memory goes. */
export type RunnableShape =
  /** It is a chat prompt or begins with one (with fallbacks, several): named values, or the only one of them. */
  | { readonly kind: "prompt"; readonly prompts: readonly ChatPrompt[] }
  /** It is a chat model or begins with one: messages. */
  | { readonly kind: "model"; readonly model: AnyRunnable }
  /** A chat prompt comes later, or some are within a branch or a map, and none takes the memory as text. */
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
  const steps = stepsOf(runnable);
  const later = steps.find(isChatPrompt);
  const laterPrompts = later === undefined ? promptsWithin(steps, memoryKey) : [later];
  return laterPrompts.length > 0 && laterPrompts.every((prompt) => placeOf(prompt, memoryKey) !== "text")
    ? { kind: "laterPrompt", prompts: laterPrompts }
    : { kind: "other" };
}

/** Those of the last step that has any; none where a string prompt, or a function behind it, may want the memory as text. */
function promptsWithin(steps: readonly AnyRunnable[], memoryKey: string): ChatPrompt[] {
  const last = steps.findLastIndex((step) => leavesOf(step).some(isChatPrompt));
  const leaves = steps.slice(last, last + 1).flatMap(leavesOf);
  const isTakenAsText =
    steps.slice(last + 1).some(isLambda) ||
    leaves.some((leaf) => !isChatPrompt(leaf) && variablesOf(leaf).includes(memoryKey));
  return isTakenAsText ? [] : leaves.filter(isChatPrompt);
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

function variablesOf(runnable: AnyRunnable): readonly unknown[] {
  const { inputVariables } = runnable as unknown as { inputVariables?: unknown };
  return Array.isArray(inputVariables) ? inputVariables : [];
}

function isLambda(runnable: AnyRunnable): boolean {
  return typeof (runnable as unknown as { func?: unknown }).func === "function";
}

function isChatModel(runnable: AnyRunnable): boolean {
  const { _modelType: modelType } = runnable as unknown as { _modelType?: unknown };
  return typeof modelType === "function" && modelType.call(runnable) === "base_chat_model";
}
