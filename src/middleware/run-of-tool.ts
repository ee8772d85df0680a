import type { RunConfig } from "../workspace/index.js";
import { nestedIn } from "./turns.js";

/**
 * Whether an agent runs as a tool of another: what it is told are the parent model's words, not the user's. `createAgent`
 * calls its tools in the node `tools`.
 */
export function isRunOfTool(run: RunConfig): boolean {
  return nestedIn(run).some((node) => node === "tools" || node.startsWith("tools:"));
}
