import { optionError, unknownOptionError } from "../errors.js";
import { MemoryWorkspace } from "./memory-workspace.js";
import { fieldOf, type OptionCheck, withMethods } from "./option-checks.js";
import type { WorkspaceOptions } from "./options.js";
import { workspaceOptionNames } from "./resolve-options.js";

type Checks = Readonly<Record<string, OptionCheck>>;

/** Told by its shape: the app may have its workspace from another copy of this package. */
export const aWorkspace: OptionCheck = withMethods("a MemoryWorkspace", ["assembleContext", "recordTurn"]);

export function isWorkspace(value: unknown): value is MemoryWorkspace {
  return typeof fieldOf(value, "assembleContext") === "function";
}

/**
 * Checks the options of a door and gives them with its workspace: the app's own, or a new one of the workspace's options
 * that stand among them.
 *
 * @throws TypeError or RangeError with a `code`.
 */
export function openDoor<OwnOptions extends { readonly workspace?: MemoryWorkspace | undefined }>(
  options: OwnOptions & WorkspaceOptions,
  checks: Checks,
): { workspace: MemoryWorkspace; own: OwnOptions } {
  if (isWorkspace(options)) {
    throw optionError("ERR_OPTION_TYPE", "options", "an object such as { workspace }", options);
  }
  const { own, others } = checkedOptions(options, checks, workspaceOptionNames);
  const [first] = Object.keys(others);
  if (own.workspace !== undefined && first !== undefined) {
    throw optionError("ERR_OPTION_RANGE", first, "given to the workspace itself", others[first]);
  }
  const workspace = (own.workspace as MemoryWorkspace | undefined) ?? new MemoryWorkspace(others);
  return { workspace, own: own as OwnOptions };
}

/**
 * The options that the checks know, checked, and those of other known names, unchecked. What is `undefined` is not given.
 *
 * @throws TypeError or RangeError with a `code`.
 */
export function checkedOptions(
  options: object,
  checks: Checks,
  otherNames: readonly string[] = [],
): { own: Record<string, unknown>; others: Record<string, unknown> } {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw optionError("ERR_OPTION_TYPE", "options", "an object", options);
  }
  const own: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [option, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (Object.hasOwn(checks, option)) {
      checks[option]?.(option, value);
      own[option] = value;
    } else if (otherNames.includes(option)) {
      others[option] = value;
    } else {
      throw unknownOptionError(option, [...Object.keys(checks), ...otherNames]);
    }
  }
  return { own, others };
}
