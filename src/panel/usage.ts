import type { MemoryWorkspace } from "../workspace/index.js";

/** What learning cost on one day. */
export interface UsageDay {
  /** `2026-03-01` */
  readonly day: string;
  readonly requests: number;
  /** Unicode code points that were sent. */
  readonly characters: number;
  /** Facts. */
  readonly stored: number;
  readonly failures: number;
}

/** The usage by day, newest first; `undefined` where this workspace keeps none. */
export async function readUsage(workspace: MemoryWorkspace): Promise<readonly UsageDay[] | undefined> {
  const { usage } = workspace as { usage?: () => Promise<unknown> };
  if (typeof usage !== "function") return undefined;
  const days: unknown = await usage.call(workspace);
  return Array.isArray(days) ? (days as UsageDay[]).toSorted(byDayDown) : undefined;
}

function byDayDown(left: UsageDay, right: UsageDay): number {
  return left.day < right.day ? 1 : -1;
}
