export type { PanelHandler } from "./memory-panel.js";
export { createMemoryPanel } from "./memory-panel.js";
export { type NodeHandler, toNodeHandler } from "./node-handler.js";
export type { PanelIdentity, PanelOptions } from "./options.js";
