export { createMemoryTools, type MemoryToolsOptions } from "../tools/index.js";
export type { MemoryRuntime } from "../workspace/index.js";
export { crossSessionMemoryMiddleware } from "./cross-session-memory-middleware.js";
export type { CrossSessionMemoryMiddleware } from "./middleware-type.js";
export type { CrossSessionMemoryMiddlewareOptions } from "./options.js";
