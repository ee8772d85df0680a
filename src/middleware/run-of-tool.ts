import type { RunConfig } from "../workspace/index.js";

/**
 * Whether an agent runs as a tool of another: what it is told are the parent model's words, not the user's. LangGraph
 * names the way to a nested run in `checkpoint_ns`, `node:id|node:id`, and `createAgent` calls its tools in `tools`.
 */
export function isRunOfTool({ configurable }: RunConfig): boolean {
  const { checkpoint_ns: way } = configurable ?? {};
  if (typeof way !== "string") return false;
  const outerNodes = way.split("|").slice(0, -1);
  return outerNodes.some((node) => node === "tools" || node.startsWith("tools:"));
}
