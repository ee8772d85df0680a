import {
  aWorkspace,
  functionOf,
  isWorkspace,
  type MemoryRuntime,
  type MemoryWorkspace,
  nonEmptyString,
  type OnContext,
  type OptionCheck,
  openDoor,
  textOrFunction,
  type WorkspaceOptions,
} from "../workspace/index.js";

/** A workspace, or the workspace's own options beside these. */
export interface CrossSessionMemoryMiddlewareOptions extends Omit<WorkspaceOptions, "store"> {
  /**
   * Another home for memories, what waits, sessions and the memory switch. `"runtime"`: the store that the agent was made
   * with, `createAgent({ store })`, by a `LangGraphMemoryStore` of its default namespace; a run without one goes on
   * with rules and skills alone, with one warning.
   *
   * @default files under `dir`
   */
  readonly store?: WorkspaceOptions["store"] | "runtime" | undefined;
  /**
   * The app's workspace, which several agents may share. Leave it out to give the workspace's own options here.
   *
   * @default a new one of the options given here
   */
  readonly workspace?: MemoryWorkspace | undefined;
  /**
   * Whose memories a run uses: a non-empty string, or the run goes on without memory, with one warning.
   *
   * @default none: one person's
   */
  readonly userId?: ((runtime: MemoryRuntime) => unknown) | undefined;
  /** What the app says of the session now. A function is asked before each model call. */
  readonly sessionContext?: string | ((runtime: MemoryRuntime) => string | undefined) | undefined;
  /** A plan, last of all. A function is asked before each model call. */
  readonly planContext?: string | ((runtime: MemoryRuntime) => string | undefined) | undefined;
  /** Called after each assembly with what went in: kinds, file names, memory ids; no text. */
  readonly onContext?: OnContext | undefined;
  /**
   * Tells two of them in one agent apart.
   *
   * @default "CrossSessionMemoryMiddleware"
   */
  readonly name?: string | undefined;
}

type OwnOption = Exclude<keyof CrossSessionMemoryMiddlewareOptions, keyof WorkspaceOptions>;
type OwnOptions = Pick<CrossSessionMemoryMiddlewareOptions, OwnOption>;

/** What the middleware works with. */
export interface OpenMiddleware {
  readonly workspace: MemoryWorkspace;
  readonly own: OwnOptions;
  /** Whether each run brings the home of the memories. */
  readonly isOverRuntime: boolean;
}

const checks: { readonly [Option in OwnOption]: OptionCheck } = {
  workspace: aWorkspace,
  userId: functionOf("a function of the runtime that gives the user's id"),
  sessionContext: textOrFunction,
  planContext: textOrFunction,
  onContext: functionOf("a function"),
  name: nonEmptyString,
};

export function openMiddleware(
  workspaceOrOptions: MemoryWorkspace | CrossSessionMemoryMiddlewareOptions,
): OpenMiddleware {
  const options: CrossSessionMemoryMiddlewareOptions = isWorkspace(workspaceOrOptions)
    ? { workspace: workspaceOrOptions }
    : workspaceOrOptions;
  const isOverRuntime = options.store === "runtime" && options.workspace === undefined;
  const ofDoor = (isOverRuntime ? { ...options, store: undefined } : options) as OwnOptions &
    WorkspaceOptions;
  return { ...openDoor<OwnOptions>(ofDoor, checks), isOverRuntime };
}
