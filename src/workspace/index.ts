export { type AssetSummary, Assets } from "./assets.js";
export { type Environment, systemEnvironment } from "./environment.js";
export type { ExtractionResult, RecordOptions } from "./learning.js";
export { Memories } from "./memories.js";
export { type AssembleOptions, MemoryWorkspace } from "./memory-workspace.js";
export {
  boolean,
  integer,
  nonEmptyString,
  type OptionCheck,
  objectOf,
  withMethods,
} from "./option-checks.js";
export { type WorkspaceOptions, workspaceOptionNames } from "./options.js";
export { type SessionSummary, Sessions, Waiting, type WaitingCount } from "./sessions.js";
export { type Settings, WorkspaceSettings } from "./settings.js";
