import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryWorkspace } from "../../dist/index.mjs";

/** Does work with a workspace that holds these memories: `chosenFor(query, sessionId)` gives what is in the prompt. */
export async function withWorkspace(memories, options, work) {
  const dir = await mkdtemp(join(tmpdir(), "recall-"));
  const workspace = new MemoryWorkspace({ dir, limit: 1000, ...options });
  try {
    await workspace.memories.save(memories);
    const byId = new Map(memories.map((memory) => [memory.id, memory]));
    return await work(async (query, sessionId) => {
      const { segments } = await workspace.assembleContext({ query, sessionId, summary: "" });
      const { sources = [] } = segments.find(({ kind }) => kind === "memory") ?? {};
      return sources.map((id) => byId.get(id));
    }, workspace);
  } finally {
    await workspace.close();
    await rm(dir, { recursive: true, force: true });
  }
}
