import { isReplaceable, type MemoryItem } from "../memory/memory-item.js";
import type { ReplacedMemory } from "../memory/replaced-memory.js";
import type { MemoryWorkspace } from "../workspace/index.js";

/** A candidate as a person decides on it. */
export interface CandidateView extends MemoryItem {
  /** The memories that would be replaced as they are now. */
  readonly wouldReplace: readonly { readonly id: string; readonly content: string }[];
}

/** A replaced memory as a person sees it. */
export interface ReplacedView extends ReplacedMemory {
  /** The words of what took its place; absent where that is gone. */
  readonly replacement?: string | undefined;
}

/** What waits for a person, oldest first. */
export async function viewCandidates(workspace: MemoryWorkspace): Promise<CandidateView[]> {
  const candidates = await workspace.candidates.list();
  if (candidates.length === 0) return [];
  const memories = new Map((await workspace.memories.list()).map((item) => [item.id, item]));
  return candidates.map(({ replaces = [], ...item }) => ({
    ...item,
    wouldReplace: replaces.flatMap((id) => {
      const memory = memories.get(id);
      return memory !== undefined && isReplaceable(memory) ? [{ id, content: memory.content }] : [];
    }),
  }));
}

/** What was replaced, oldest first. */
export async function viewHistory(workspace: MemoryWorkspace): Promise<ReplacedView[]> {
  const history = await workspace.memories.history();
  if (history.length === 0) return [];
  const all = [...(await workspace.memories.list()), ...history];
  const contents = new Map(all.map(({ id, content }) => [id, content]));
  return history.map((entry) => ({ ...entry, replacement: contents.get(entry.replacedBy) }));
}
