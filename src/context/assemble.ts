import type { ContextTexts } from "../locales/context-texts.js";
import type { MemoryItem } from "../memory/memory-item.js";
import type { LoadedAsset } from "../prompt-assets/index.js";
import { assetSegment, leastBytes } from "./asset-segment.js";
import type { ContextBudgets } from "./budgets.js";
import { memorySegment } from "./memory-segment.js";
import type { AssembledContext, ContextSegment } from "./segment.js";
import { sessionSegment, summarySegment } from "./session-segment.js";

export interface ContextParts {
  /** The rules that are switched on, in their order. */
  readonly rules: readonly LoadedAsset[];
  readonly skills: readonly LoadedAsset[];
  /** Oldest first. */
  readonly memories: readonly MemoryItem[];
  /** Ids of the memories that are to stay where not all fit. Default: the newest. */
  readonly chosen?: ReadonlySet<string> | undefined;
  readonly summary?: string | undefined;
  readonly sessionContext?: string | undefined;
  readonly planContext?: string | undefined;
}

/**
 * The five segments, always in the same order: what moves least comes first, so that a provider's prefix cache holds as
 * long as possible. Pure: the same parts give the same bytes, and nothing but the parts is in them.
 */
export function assemble(
  parts: ContextParts,
  budgets: ContextBudgets,
  texts: ContextTexts,
): AssembledContext {
  const segments = [
    ...assetSegments(parts, budgets, texts),
    memorySegment(parts.memories, budgets.memoryBudget, texts, parts.chosen),
    summarySegment(parts.summary, texts),
    sessionSegment(parts.sessionContext, parts.planContext, budgets.planBudget, texts),
  ].filter((segment) => segment !== undefined);
  return { segments, text: segments.map((segment) => segment.text).join("\n\n") };
}

function assetSegments(
  { rules, skills }: ContextParts,
  { assetBudget, sharedAssetBudget }: ContextBudgets,
  texts: ContextTexts,
): (ContextSegment | undefined)[] {
  if (sharedAssetBudget === undefined) {
    return [
      assetSegment("rules", rules, assetBudget, texts),
      assetSegment("skills", skills, assetBudget, texts),
    ];
  }
  // Rules come first, but leave room to say that skills are left out: none goes missing without a word.
  const first = assetSegment("rules", rules, sharedAssetBudget - leastBytes("skills", skills, texts), texts);
  return [first, assetSegment("skills", skills, sharedAssetBudget - (first?.bytes ?? 0), texts)];
}
