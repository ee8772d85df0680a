export { assemble, type ContextParts } from "./assemble.js";
export type { ContextBudgets } from "./budgets.js";
export { roomForMemories } from "./memory-segment.js";
export type { AssembledContext, ContextSegment, SegmentKind } from "./segment.js";
