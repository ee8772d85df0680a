export { createMemoryTools, type MemoryToolsOptions } from "./memory-tools.js";
