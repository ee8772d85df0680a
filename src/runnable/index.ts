export type { WithCrossSessionMemoryOptions } from "./options.js";
export { withCrossSessionMemory } from "./with-cross-session-memory.js";
