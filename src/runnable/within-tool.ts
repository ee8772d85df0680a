import type { RunConfig } from "../workspace/index.js";

/**
 * Whether the run stands within a tool of an agent: what it is told are the agent's words, not the user's. LangGraph names
 * the way to a run in `checkpoint_ns`, `node:id|node:id`, and agents call their tools in the node `tools`.
 */
export function isWithinTool({ configurable }: RunConfig): boolean {
  const { checkpoint_ns: way } = configurable ?? {};
  return typeof way === "string" && way.split("|").some((node) => node.split(":")[0] === "tools");
}
