import type { MemoryItem, MemoryWorkspace } from "../../src/index.js";
import type { ScriptedModel } from "../support/scripted-model.js";
import { readRequest } from "./world.js";

/** A memory as a model learned it: `id-1`, `fact 1`, and so on. */
export function learnedItem(number: number, session = "s0"): MemoryItem {
  return {
    id: `id-${number}`,
    content: `fact ${number}`,
    createdAt: number,
    sourceScope: session,
    source: { sessionIds: [session], messageIds: [`m-${number}`], learnedAt: number },
  };
}

/** Puts them into the home as an extraction would. */
export async function put(workspace: MemoryWorkspace, ...items: readonly MemoryItem[]): Promise<void> {
  await workspace.store.memories.change((stored) => ({
    items: [...stored.items, ...items],
    result: undefined,
  }));
}

/** The known memories of a request where they are numbered. */
export function numberedLines(model: ScriptedModel) {
  return (readRequest(model).known ?? []) as unknown as { number?: number; content: string }[];
}
