import type { MemoryWorkspace } from "../workspace/index.js";

/** What learning cost by day, newest first. */
export async function readUsage(workspace: MemoryWorkspace) {
  return (await workspace.usage()).toReversed();
}
