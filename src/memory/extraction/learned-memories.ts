import { globalScope, type MemoryItem, normalizeContent } from "../memory-item.js";
import { learnedSource } from "../memory-source.js";
import type { Replacements } from "../replace.js";
import { holdsSecret } from "../secrets/index.js";
import type { WaitingEntry } from "../waiting-entry.js";
import type { LearnedFact } from "./reply.js";

/** What the model was shown. */
export interface ShownPart {
  readonly entries: readonly WaitingEntry[];
  /** The session numbers of the request, by session. */
  readonly sessionNumbers: ReadonlyMap<string, number>;
  /** The memories that may be replaced, by their number in the request. */
  readonly numbered: ReadonlyMap<number, MemoryItem>;
}

export interface LearnedMemories {
  readonly learned: readonly MemoryItem[];
  readonly replaces: Replacements;
}

/** What a model's facts are as memories, and what they replace; without those that hold a credential. */
export async function toMemories(
  facts: readonly LearnedFact[],
  { entries, sessionNumbers, numbered }: ShownPart,
  { now, randomUUID }: { readonly now: () => number; readonly randomUUID: () => string },
): Promise<LearnedMemories> {
  const sessions = new Map([...sessionNumbers].map(([session, number]) => [number, session] as const));
  const createdAt = now();
  const learned: MemoryItem[] = [];
  const replaces = new Map<string, readonly MemoryItem[]>();
  for (const { content, session, replaces: numbers = [] } of facts) {
    if (await holdsSecret(content)) continue;
    const scope = sessions.get(sessions.size === 1 ? 1 : (session ?? 0));
    const id = randomUUID();
    const named = numbers.flatMap((number) => numbered.get(number) ?? []);
    if (named.length > 0) replaces.set(id, named);
    learned.push({
      id,
      content: normalizeContent(content),
      createdAt,
      sourceScope: scope ?? globalScope,
      source: learnedSource(entries, scope, createdAt),
    });
  }
  return { learned, replaces };
}
