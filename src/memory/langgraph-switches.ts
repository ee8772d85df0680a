import type { StoredItem } from "./langgraph-items.js";
import { unpacked } from "./langgraph-packed.js";

/** Keys of the small items that hold for a whole user. Each is an item of its own: two that change at once both hold. */
export const switchKeys = {
  generation: "generation",
  sessionsToken: "sessions-token",
  setting: (name: string) => `setting-${name}`,
} as const;

export function switchOf(items: readonly StoredItem[], key: string): unknown {
  const item = items.find((one) => one.key === key);
  return item && unpacked(item.value);
}

/** The generation of the memories: what was written for an earlier one is forgotten. */
export function generationOf(items: readonly StoredItem[]): number {
  const generation = switchOf(items, switchKeys.generation);
  return typeof generation === "number" ? generation : 0;
}
