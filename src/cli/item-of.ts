import type { MemoryItem } from "../memory/memory-item.js";
import type { MemoryWorkspace } from "../workspace/index.js";
import { CliFault } from "./cli-fault.js";
import type { CommandParts } from "./command-context.js";

/** The memory of this id, or the only one whose id begins so. */
export async function itemOf(
  workspace: MemoryWorkspace,
  start: string,
  parts: CommandParts,
): Promise<MemoryItem> {
  return entryOf(await workspace.memories.list(), start, parts);
}

/** The same among these. */
export function entryOf<Entry extends MemoryItem>(
  items: readonly Entry[],
  start: string,
  { texts }: CommandParts,
  notFound = "ERR_MEMORY_NOT_FOUND",
): Entry {
  const exact = items.find(({ id }) => id === start);
  const matching = exact === undefined ? items.filter(({ id }) => id.startsWith(start)) : [exact];
  const [item] = matching;
  if (item === undefined) throw new CliFault(notFound, texts.noSuchId(start));
  if (matching.length > 1) throw new CliFault("ERR_MEMORY_AMBIGUOUS", texts.manyIds(start));
  return item;
}
