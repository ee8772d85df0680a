import type { BaseMessage } from "@langchain/core/messages";
import { ChatPromptValue } from "@langchain/core/prompt_values";
import { isMessageList } from "../messages/chat-message.js";
import { conversationText } from "../messages/conversation-text.js";
import { foldContext, splitSystem } from "../messages/fold-context.js";
import { toMessages } from "../messages/to-messages.js";
import { type AnyRunnable, withReplaced } from "./parts.js";
import { PromptWithContext } from "./prompt-with-context.js";
import { asValues, isPromptValue } from "./said.js";
import { type ChatPrompt, placeOf, type RunnableShape } from "./shape.js";

/** What a run is given of the past. */
export interface Remembered {
  /** The five segments; empty where there is nothing to say. */
  readonly context: string;
  /** The session so far; empty where the app gives it itself. */
  readonly conversation: readonly BaseMessage[];
}

/** What is called, with what. */
export interface Call {
  readonly runnable: AnyRunnable;
  readonly input: unknown;
}

export interface Keys {
  readonly memoryKey: string;
  readonly inputKey: string | undefined;
}

/** Whether the runnable has a place for the session's conversation. */
export function takesConversation(shape: RunnableShape, memoryKey: string): boolean {
  return !("prompts" in shape) || shape.prompts.some((prompt) => placeOf(prompt, memoryKey) !== "none");
}

/** The call with context and conversation in their places; `undefined` where there is no place for them. */
export function withMemory(
  { runnable, input }: Call,
  shape: RunnableShape,
  remembered: Remembered,
  keys: Keys,
): Call | undefined {
  switch (shape.kind) {
    case "prompt": {
      const values = asValues(input) ?? promptValues(input, shape.prompts, keys);
      return {
        runnable: withContext(runnable, shape.prompts, remembered.context),
        input: values === undefined ? input : withConversation(values, shape.prompts, remembered, keys),
      };
    }
    case "laterPrompt": {
      const values = asValues(input);
      return {
        runnable: withContext(runnable, shape.prompts, remembered.context),
        input: values === undefined ? input : withConversation(values, shape.prompts, remembered, keys),
      };
    }
    case "model":
      return { runnable, input: asValues(input) === undefined ? withMessages(input, remembered) : input };
    case "other": {
      const values = asValues(input);
      if (values !== undefined) return { runnable, input: withVariable(values, remembered, keys) };
      if (!isPromptValue(input) && !isMessageList(input)) return undefined;
      const messages = withMessages(input, remembered);
      const isUnchanged = messages === input || isMessageList(input);
      return { runnable, input: isUnchanged ? messages : new ChatPromptValue(messages as BaseMessage[]) };
    }
  }
}

function withContext(runnable: AnyRunnable, prompts: readonly ChatPrompt[], context: string): AnyRunnable {
  if (context === "") return runnable;
  return withReplaced(
    runnable,
    new Map(prompts.map((prompt) => [prompt, new PromptWithContext(prompt, context)])),
  );
}

/** A prompt takes named values; a string or messages are the value of its only variable. */
function promptValues(
  input: unknown,
  [prompt]: readonly ChatPrompt[],
  { memoryKey, inputKey }: Keys,
): Readonly<Record<string, unknown>> | undefined {
  const others = prompt?.inputVariables.filter((name) => name !== memoryKey) ?? [];
  const key = inputKey ?? (others.length === 1 ? others[0] : undefined);
  return key === undefined ? undefined : { [key]: input };
}

/** A conversation that the app gives itself stays. */
function withConversation(
  values: Readonly<Record<string, unknown>>,
  prompts: readonly ChatPrompt[],
  { conversation }: Remembered,
  { memoryKey }: Keys,
): Readonly<Record<string, unknown>> {
  const places = prompts.map((prompt) => placeOf(prompt, memoryKey));
  const place = places.find((one) => one !== "none");
  if (place === undefined || isGiven(values[memoryKey])) return values;
  return { ...values, [memoryKey]: place === "text" ? conversationText(conversation) : conversation };
}

/** The context, then the conversation, as text; the app's own conversation in whatever form it has. */
function withVariable(
  values: Readonly<Record<string, unknown>>,
  { context, conversation }: Remembered,
  { memoryKey }: Keys,
): Readonly<Record<string, unknown>> {
  const given = values[memoryKey];
  if (isGiven(given) && typeof given !== "string") {
    const isMessages = isMessageList(given);
    return isMessages ? { ...values, [memoryKey]: foldContext(toMessages(given, "user"), context) } : values;
  }
  const text = typeof given === "string" ? given : conversationText(conversation);
  return { ...values, [memoryKey]: [context, text].filter((part) => part !== "").join("\n\n") };
}

/** System message first, then the session so far, then what is new; as it was where there is nothing to add. */
function withMessages(input: unknown, { context, conversation }: Remembered): unknown {
  const messages = toMessages(input, "user");
  if (messages.length === 0 || (context === "" && conversation.length === 0)) return input;
  const { system, rest } = splitSystem(undefined, messages);
  return foldContext([...(system === undefined ? [] : [system]), ...conversation, ...rest], context);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
