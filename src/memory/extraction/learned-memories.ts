import { globalScope, type MemoryItem, normalizeContent } from "../memory-item.js";
import { holdsSecret } from "../secrets/index.js";
import type { LearnedFact } from "./reply.js";

/**
 * What a model's facts are as memories, without those that hold a credential.
 *
 * @param numbers The session numbers of the request, by session.
 */
export async function toMemories(
  facts: readonly LearnedFact[],
  numbers: ReadonlyMap<string, number>,
  { now, randomUUID }: { readonly now: () => number; readonly randomUUID: () => string },
): Promise<MemoryItem[]> {
  const sessions = new Map([...numbers].map(([session, number]) => [number, session] as const));
  const createdAt = now();
  const learned: MemoryItem[] = [];
  for (const { content, session } of facts) {
    if (await holdsSecret(content)) continue;
    const scope = sessions.get(sessions.size === 1 ? 1 : (session ?? 0)) ?? globalScope;
    learned.push({ id: randomUUID(), content: normalizeContent(content), createdAt, sourceScope: scope });
  }
  return learned;
}
