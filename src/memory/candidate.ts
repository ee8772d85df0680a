import { contentKey, type MemoryItem } from "./memory-item.js";
import type { Schemas } from "./schemas.js";

/** What a model learned and a person has not accepted yet. It is in no prompt. */
export interface Candidate extends MemoryItem {
  /** Ids of the memories whose place it takes once it is accepted. */
  readonly replaces?: readonly string[] | undefined;
}

/** So many wait for a person; beyond it the oldest go. */
export const maxCandidates = 200;

export interface Proposals {
  readonly candidates: readonly Candidate[];
  /** How many of the new ones are among them. */
  readonly added: number;
  /** How many had to go for the bound. */
  readonly dropped: number;
}

/**
 * The candidates with these, oldest first. What waits already in the same words, or is among `known`, is not proposed again.
 */
export function withCandidates(
  former: readonly Candidate[],
  learned: readonly Candidate[],
  known: readonly MemoryItem[],
): Proposals {
  const taken = new Set([...former, ...known].map(({ content }) => contentKey(content)));
  const news: Candidate[] = [];
  for (const candidate of learned) {
    const key = contentKey(candidate.content);
    if (key === "" || taken.has(key)) continue;
    taken.add(key);
    news.push(candidate);
  }
  const all = [...former, ...news];
  const candidates = all.slice(-maxCandidates);
  const added = Math.min(news.length, maxCandidates);
  return { candidates, added, dropped: all.length - candidates.length };
}

/** Reads what a home holds; `undefined` where it is no candidate. */
export function readCandidate(value: unknown, { readStoredItem }: Schemas): Candidate | undefined {
  const item = readStoredItem(value);
  if (item === undefined) return undefined;
  const { replaces } = value as { replaces?: unknown };
  const ids = Array.isArray(replaces) ? replaces.filter((id) => typeof id === "string") : [];
  return { ...item, createdAt: item.createdAt ?? 0, ...(ids.length > 0 && { replaces: ids }) };
}
