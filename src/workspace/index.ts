export { type MemoryRuntime, type RunUser, runtimeOf, textFor, userOf } from "./app-functions.js";
export { type AssetSummary, Assets } from "./assets.js";
export type { ExtractionResult } from "./attempts.js";
export { type AcceptOptions, Candidates } from "./candidates.js";
export { type ContextReport, type OnContext, reportContext, type SegmentReport } from "./context-report.js";
export type { CopyCount, CopyOptions, CopyPlace, CopyProgress } from "./copy.js";
export { aWorkspace, checkedOptions, isWorkspace, openDoor } from "./door-options.js";
export type { Environment } from "./environment.js";
export type { RecordOptions } from "./learning.js";
export { type AddOptions, Memories } from "./memories.js";
export type { SecretOptions } from "./memory-checks.js";
export { type AssembleOptions, MemoryWorkspace } from "./memory-workspace.js";
export {
  boolean,
  functionOf,
  integer,
  nonEmptyString,
  type OptionCheck,
  objectOf,
  textOrFunction,
  withMethods,
} from "./option-checks.js";
export type { WorkspaceOptions } from "./options.js";
export { queryOf } from "./query.js";
export { workspaceOptionNames } from "./resolve-options.js";
export {
  currentRunConfig,
  isTemporaryRun,
  type RunConfig,
  sessionOf,
  sessionOrGlobal,
} from "./run-config.js";
export {
  type RemoveSessionOptions,
  type SessionSummary,
  Sessions,
  Waiting,
  type WaitingCount,
} from "./sessions.js";
export { type Settings, WorkspaceSettings } from "./settings.js";
