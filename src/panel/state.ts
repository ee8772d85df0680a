import { type MemoryItem, maxContentLength, sessionsOf } from "../memory/memory-item.js";
import { memoryLimitRange } from "../memory/memory-settings.js";
import { viewContext } from "../people/context-view.js";
import { viewCandidates, viewHistory } from "../people/replacements.js";
import { readUsage } from "../people/usage.js";
import type { AssetSummary } from "../workspace/index.js";
import type { PanelOptions } from "./options.js";
import type { Viewer } from "./viewer.js";

/** Everything that the page shows, as it is now. Of rules and skills only where the viewer manages them. */
export async function readState({ workspace, canManageAssets }: Viewer, { openFolder }: PanelOptions) {
  const [memories, candidates, replaced, settings, view, sessions, waiting, usage, rules, skills] =
    await Promise.all([
      workspace.memories.list(),
      viewCandidates(workspace),
      viewHistory(workspace),
      workspace.settings.get(),
      viewContext(workspace),
      workspace.sessions.list(),
      workspace.waiting.count(),
      readUsage(workspace),
      canManageAssets ? workspace.rules.list() : ([] as AssetSummary[]),
      canManageAssets ? workspace.skills.list() : ([] as AssetSummary[]),
    ]);
  const { aiMemoryEnabled, aiMemoryLimit, aiRulesEnabled, aiSkillsEnabled } = settings;
  const counts = countBySession(memories);
  const { extractionTriggerChars, assetFileBudget, review, consolidate } = workspace.parts.options;
  return {
    canManageAssets,
    memories: memories.map(({ id, content, createdAt, sourceScope, pinned, source }) => ({
      id,
      content,
      createdAt,
      sourceScope,
      pinned,
      source,
    })),
    review,
    candidates: candidates.map(({ id, content, createdAt, sourceScope, wouldReplace }) => ({
      id,
      content,
      createdAt,
      sourceScope,
      wouldReplace,
    })),
    consolidate,
    replaced: replaced.map(({ id, content, replacedAt, replacement }) => ({
      id,
      content,
      replacedAt,
      replacement,
    })),
    maxContentLength,
    settings: { aiMemoryEnabled, aiMemoryLimit, ...(canManageAssets && { aiRulesEnabled, aiSkillsEnabled }) },
    limitRange: memoryLimitRange,
    ...(canManageAssets && { rules, skills, assetFileBudget, canOpenFolders: openFolder !== undefined }),
    budgets: view.uses
      .filter(({ kind }) => canManageAssets || kind === "memory")
      .map(({ included, ...use }) => ({ ...use, included: included.length })),
    ...(canManageAssets && { sharedAssetBudget: view.sharedAssetBudget }),
    sessions: sessions.map(({ sessionId, extractedUpTo, extractedAt, waiting: ofSession }) => ({
      sessionId,
      extractedUpTo,
      extractedAt,
      waiting: ofSession,
      memories: counts.get(sessionId) ?? 0,
    })),
    waiting,
    extractionTriggerChars,
    usage,
  };
}

/** How many memories came from each session. */
function countBySession(memories: readonly MemoryItem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const session of memories.flatMap(sessionsOf)) counts.set(session, (counts.get(session) ?? 0) + 1);
  return counts;
}
