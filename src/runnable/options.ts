import {
  aWorkspace,
  functionOf,
  type MemoryWorkspace,
  nonEmptyString,
  type OnContext,
  type OptionCheck,
  type RunConfig,
  textOrFunction,
  type WorkspaceOptions,
} from "../workspace/index.js";

/** A workspace, or the workspace's own options beside these. */
export interface WithCrossSessionMemoryOptions extends WorkspaceOptions {
  /**
   * The app's workspace, which several runnables may share. Leave it out to give the workspace's own options here.
   *
   * @default a new one of the options given here
   */
  readonly workspace?: MemoryWorkspace | undefined;
  /**
   * The session of runs that have no `configurable.thread_id` or `configurable.sessionId`.
   *
   * @default a fresh random id for this wrapper
   */
  readonly sessionId?: string | undefined;
  /**
   * Whose memories a run uses: a non-empty string, or the run goes on without memory, with one warning.
   *
   * @default none: one person's
   */
  readonly userId?: ((config: RunConfig) => unknown) | undefined;
  /**
   * Which key of an object that goes in is what the user said. Needed where there are several.
   *
   * @default the only one
   */
  readonly inputKey?: string | undefined;
  /**
   * Which key of an object that comes out is what the assistant answered. Needed where there are several.
   *
   * @default the only one
   */
  readonly outputKey?: string | undefined;
  /**
   * The variable that takes the session's conversation, with the context before it where the runnable does not begin with a
   * chat prompt.
   *
   * @default "history"
   */
  readonly memoryKey?: string | undefined;
  /** What the app says of the session now. A function is asked at each run. */
  readonly sessionContext?: string | ((config: RunConfig) => string | undefined) | undefined;
  /** A plan, last of all. A function is asked at each run. */
  readonly planContext?: string | ((config: RunConfig) => string | undefined) | undefined;
  /** Called after each assembly with what went in: kinds, file names, memory ids; no text. */
  readonly onContext?: OnContext | undefined;
}

/** The wrapper's own options, without the workspace's. */
export type OwnRunnableOptions = Omit<WithCrossSessionMemoryOptions, keyof WorkspaceOptions>;

export const runnableChecks: { readonly [Option in keyof OwnRunnableOptions]-?: OptionCheck } = {
  workspace: aWorkspace,
  sessionId: nonEmptyString,
  userId: functionOf("a function of the run's config that gives the user's id"),
  inputKey: nonEmptyString,
  outputKey: nonEmptyString,
  memoryKey: nonEmptyString,
  sessionContext: textOrFunction,
  planContext: textOrFunction,
  onContext: functionOf("a function"),
};
