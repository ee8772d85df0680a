import { optionError, unknownOptionError } from "../errors.js";
import { MemoryWorkspace } from "./memory-workspace.js";
import type { OptionCheck } from "./option-checks.js";
import { type WorkspaceOptions, workspaceOptionNames } from "./options.js";

/**
 * Checks the options of a door and gives them with its workspace: the app's own, or a new one of the workspace's options
 * that stand among them.
 *
 * @throws TypeError or RangeError with a `code`.
 */
export function openDoor<OwnOptions extends { readonly workspace?: MemoryWorkspace | undefined }>(
  options: OwnOptions & WorkspaceOptions,
  checks: Readonly<Record<string, OptionCheck>>,
): { workspace: MemoryWorkspace; own: OwnOptions } {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw optionError("ERR_OPTION_TYPE", "options", "an object", options);
  }
  const workspaceOptions: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  for (const [option, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (Object.hasOwn(checks, option)) {
      checks[option]?.(option, value);
      own[option] = value;
    } else if (workspaceOptionNames.includes(option as keyof WorkspaceOptions)) {
      workspaceOptions[option] = value;
    } else {
      throw unknownOptionError(option, [...Object.keys(checks), ...workspaceOptionNames]);
    }
  }
  const [first] = Object.keys(workspaceOptions);
  if (own.workspace !== undefined && first !== undefined) {
    throw optionError("ERR_OPTION_RANGE", first, "given to the workspace itself", workspaceOptions[first]);
  }
  const workspace = (own.workspace as MemoryWorkspace | undefined) ?? new MemoryWorkspace(workspaceOptions);
  return { workspace, own: own as OwnOptions };
}
