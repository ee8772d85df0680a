export type { AssembledContext, ContextSegment, SegmentKind } from "./context/index.js";
export { MemoryError, type MemoryErrorCode, type OptionErrorCode } from "./errors.js";
export type { LocaleName } from "./locales/index.js";
export type { Logger } from "./log.js";
export type { Candidate } from "./memory/candidate.js";
export type { ConversationEntry } from "./memory/conversation-entry.js";
export { CrossSessionMemory } from "./memory/cross-session-memory.js";
export type { CrossSessionMemoryOptions } from "./memory/cross-session-memory-options.js";
export type { ChatModel } from "./memory/extraction/chat-model.js";
export type { Forgotten, ForgottenFact } from "./memory/forgotten.js";
export { JsonMemoryStore, type JsonMemoryStoreOptions } from "./memory/json-memory-store.js";
export type {
  LangGraphItem,
  LangGraphSearchOptions,
  LangGraphStoreLike,
} from "./memory/langgraph-base-store.js";
export { LangGraphMemoryStore, type LangGraphMemoryStoreOptions } from "./memory/langgraph-memory-store.js";
export type { MemoryItem } from "./memory/memory-item.js";
export type { MemorySettings } from "./memory/memory-settings.js";
export type { MemorySource } from "./memory/memory-source.js";
export type {
  Conversations,
  EntryChange,
  EntryList,
  ExtractionState,
  ExtractionStates,
  Lease,
  MemoryChange,
  MemoryCollection,
  MemorySettingsStore,
  MemoryStore,
  SessionRecords,
  StoredEntries,
  StoredMemories,
  WaitingQueue,
} from "./memory/memory-store.js";
export type { MemoryVectors } from "./memory/memory-vectors.js";
export type { ReplacedMemory } from "./memory/replaced-memory.js";
export type { RollingSummaryOptions } from "./memory/rolling-summary.js";
export type { SeenMessage, SessionRecord } from "./memory/session-record.js";
export type { DayUsage } from "./memory/usage.js";
export type { WaitingEntry, WaitingTotals } from "./memory/waiting-entry.js";
export { type WithCrossSessionMemoryOptions, withCrossSessionMemory } from "./runnable/index.js";
export {
  type EmbeddingsLike,
  type NamedSelection,
  type RelevantToOptions,
  relevantTo,
  type SelectableMemory,
  type SelectionByMeaning,
  type SelectionRequest,
  type SelectMemories,
  type SelectOptions,
  selectMemories,
} from "./selection/index.js";
export {
  type AcceptOptions,
  type AddOptions,
  type AssembleOptions,
  type AssetSummary,
  type Assets,
  type Candidates,
  type ContextReport,
  type CopyCount,
  type CopyOptions,
  type CopyPlace,
  type CopyProgress,
  type Environment,
  type ExtractionResult,
  type Memories,
  MemoryWorkspace,
  type OnContext,
  type RecordOptions,
  type RemoveSessionOptions,
  type RunConfig,
  type SecretOptions,
  type SegmentReport,
  type SessionSummary,
  type Sessions,
  type Settings,
  type Waiting,
  type WaitingCount,
  type WorkspaceOptions,
  type WorkspaceSettings,
} from "./workspace/index.js";
