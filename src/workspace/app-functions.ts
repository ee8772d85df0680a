import type { MemoryWorkspace } from "./memory-workspace.js";
import type { RunConfig } from "./run-config.js";
import type { SharedParts } from "./shared-parts.js";

/** What a function of the app's is told of an agent's run. */
export interface MemoryRuntime {
  /** The run's context, as the app gave it. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly configurable: Readonly<Record<string, unknown>>;
}

export function runtimeOf({ context, configurable }: RunConfig): MemoryRuntime {
  const isObject = typeof context === "object" && context !== null;
  return { context: isObject ? (context as Record<string, unknown>) : {}, configurable: configurable ?? {} };
}

/** Whose run it is. */
export interface RunUser {
  /** The user's own; the app's where there are no users, or where this one is unknown. */
  readonly workspace: MemoryWorkspace;
  readonly id: string | undefined;
  /** The app has users and this run has none: nobody's memories are injected, and nothing is recorded. */
  readonly isUnknown: boolean;
}

/** Asks the app's function, where it gave one, whose run it is. Never throws. */
export function userOf<Run>(
  userId: ((run: Run) => unknown) | undefined,
  run: Run,
  workspace: MemoryWorkspace,
): RunUser {
  if (userId === undefined) return { workspace, id: undefined, isUnknown: false };
  const { reporter } = workspace.parts;
  try {
    const id = userId(run);
    // Not marked as recovered: known and unknown users may take turns, and each change would be one more warning.
    if (typeof id === "string" && id !== "") {
      return { workspace: workspace.forUser(id), id, isUnknown: false };
    }
    reporter.warnOnce("userId", `userId gave no non-empty string for a run: ${goesOn}`);
  } catch {
    reporter.warnOnce("userId", `userId threw an error: ${goesOn}`);
  }
  return { workspace, id: undefined, isUnknown: true };
}

const goesOn = "it goes on without memory and is not recorded";

/** A text that the app gives, or what its function gives for this run. Never throws. */
export function textFor<Run>(
  option: string,
  given: string | ((run: Run) => unknown) | undefined,
  run: Run,
  { reporter }: SharedParts,
): string | undefined {
  if (typeof given !== "function") return given;
  try {
    const text = given(run);
    const isText = typeof text === "string";
    if (isText || text === undefined || text === null) {
      reporter.recovered(option);
      return isText ? text : undefined;
    }
    reporter.warnOnce(option, `the function given as ${option} gave no text; going on without`);
  } catch {
    reporter.warnOnce(option, `the function given as ${option} threw an error; going on without`);
  }
  return undefined;
}
