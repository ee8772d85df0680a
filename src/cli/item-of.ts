import type { MemoryItem } from "../memory/memory-item.js";
import type { MemoryWorkspace } from "../workspace/index.js";
import { CliFault } from "./cli-fault.js";
import type { CommandParts } from "./command-context.js";

/** The memory of this id, or the only one whose id begins so. */
export async function itemOf(
  workspace: MemoryWorkspace,
  start: string,
  { texts }: CommandParts,
): Promise<MemoryItem> {
  const items = await workspace.memories.list();
  const exact = items.find(({ id }) => id === start);
  const matching = exact === undefined ? items.filter(({ id }) => id.startsWith(start)) : [exact];
  const [item] = matching;
  if (item === undefined) throw new CliFault("ERR_MEMORY_NOT_FOUND", texts.noSuchId(start));
  if (matching.length > 1) throw new CliFault("ERR_MEMORY_AMBIGUOUS", texts.manyIds(start));
  return item;
}
