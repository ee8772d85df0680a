import type { BaseListChatMessageHistory } from "@langchain/core/chat_history";
import {
  aWorkspace,
  boolean,
  functionOf,
  integer,
  type MemoryWorkspace,
  nonEmptyString,
  type OnContext,
  type OptionCheck,
  objectOf,
  textOrFunction,
  type WorkspaceOptions,
  withMethods,
} from "../workspace/index.js";
import type { RollingSummaryOptions } from "./rolling-summary.js";

/** A workspace, or the workspace's own options beside these. */
export interface CrossSessionMemoryOptions extends WorkspaceOptions {
  /**
   * The app's workspace, which several memories may share. Leave it out to give the workspace's own options here.
   *
   * @default a new one of the options given here
   */
  readonly workspace?: MemoryWorkspace | undefined;
  /**
   * Goes on with a former session.
   *
   * @default a fresh random id
   */
  readonly sessionId?: string | undefined;
  /**
   * The prompt's variable that takes context and conversation.
   *
   * @default "history"
   */
  readonly memoryKey?: string | undefined;
  /**
   * Which of the chain's inputs the user said. Needed where there are several.
   *
   * @default the only one
   */
  readonly inputKey?: string | undefined;
  /**
   * Which of the chain's outputs the assistant answered. Needed where there are several.
   *
   * @default the only one
   */
  readonly outputKey?: string | undefined;
  /**
   * Gives one system message with the context, then the messages; else text.
   *
   * @default false
   */
  readonly returnMessages?: boolean | undefined;
  /**
   * Keeps this session's conversation in place of `chats/<session>.jsonl`.
   *
   * @default the library's own
   */
  readonly chatHistory?: BaseListChatMessageHistory | undefined;
  /**
   * Condenses old messages of the session in the background.
   *
   * @default off
   */
  readonly rollingSummary?: RollingSummaryOptions | undefined;
  /** What the app says of the session now. A function is asked at each turn. */
  readonly sessionContext?: string | (() => string | undefined) | undefined;
  /** A plan, last of all. A function is asked at each turn. */
  readonly planContext?: string | (() => string | undefined) | undefined;
  /**
   * Nothing of this session is recorded or learned, and no memories are injected. `configurable.memory: "off"` of a
   * surrounding run does the same for that run; a classic chain does not hand its own run's config to its memory.
   *
   * @default false
   */
  readonly temporary?: boolean | undefined;
  /** Called after each assembly with what went in: kinds, file names, memory ids; no text. */
  readonly onContext?: OnContext | undefined;
  /** @default "Human" */
  readonly humanPrefix?: string | undefined;
  /** @default "AI" */
  readonly aiPrefix?: string | undefined;
}

/** The memory's own options, without the workspace's. */
export type OwnMemoryOptions = Omit<CrossSessionMemoryOptions, keyof WorkspaceOptions>;

export const memoryOptionChecks: { readonly [Option in keyof OwnMemoryOptions]-?: OptionCheck } = {
  workspace: aWorkspace,
  sessionId: nonEmptyString,
  memoryKey: nonEmptyString,
  inputKey: nonEmptyString,
  outputKey: nonEmptyString,
  returnMessages: boolean,
  chatHistory: withMethods("a chat message history", ["getMessages", "addMessages", "clear"]),
  rollingSummary: objectOf({ triggerChars: integer(1, 1_000_000), keepMessages: integer(0, 10_000) }),
  sessionContext: textOrFunction,
  planContext: textOrFunction,
  temporary: boolean,
  onContext: functionOf("a function"),
  humanPrefix: nonEmptyString,
  aiPrefix: nonEmptyString,
};
