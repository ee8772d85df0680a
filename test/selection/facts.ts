import type { MemoryItem } from "../../src/index.js";

/** Many facts of one person, the oldest first, far more than a small budget holds. */
export function manyFacts(count = 60): MemoryItem[] {
  const subjects = ["garden", "invoice", "marathon", "recipe", "printer", "telescope", "violin", "balcony"];
  return Array.from({ length: count }, (_, index) =>
    fact(`note ${index} on the ${subjects[index % subjects.length]} of house number ${index + 100}`, index),
  );
}

export function fact(content: string, createdAt = 0, more: Partial<MemoryItem> = {}): MemoryItem {
  return { id: `id of ${content}`, content, createdAt, sourceScope: "global", ...more };
}

export function bytesOf(memories: readonly { readonly content: string }[]): number {
  return memories.reduce((sum, { content }) => sum + Buffer.byteLength(`- ${content}\n`), 0);
}
