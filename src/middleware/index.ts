export { createMemoryTools, type MemoryToolsOptions } from "../tools/index.js";
export { crossSessionMemoryMiddleware } from "./cross-session-memory-middleware.js";
export type { CrossSessionMemoryMiddlewareOptions, MemoryRuntime } from "./options.js";
