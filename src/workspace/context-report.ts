import type { AssembledContext, SegmentKind } from "../context/index.js";
import type { SharedParts } from "./shared-parts.js";

/** What went into a model call, without a word of it: so that an app can tell its user what shaped an answer. */
export interface ContextReport {
  readonly sessionId: string;
  readonly userId?: string | undefined;
  /** In their order; only those that were not empty. */
  readonly segments: readonly SegmentReport[];
}

export interface SegmentReport {
  readonly kind: SegmentKind;
  /** UTF-8 bytes. */
  readonly bytes: number;
  /** How many files or memories were left out for the budget. */
  readonly omitted: number;
  /** File names, or memory ids. */
  readonly sources: readonly string[];
}

/** Called after each assembly. What it throws is swallowed. */
export type OnContext = (report: ContextReport) => void;

export function reportContext(
  onContext: OnContext | undefined,
  { segments }: AssembledContext,
  of: { readonly sessionId: string; readonly userId?: string | undefined },
  { reporter }: SharedParts,
): void {
  if (onContext === undefined) return;
  try {
    onContext({
      ...of,
      segments: segments.map(({ kind, bytes, omitted, sources }) => ({ kind, bytes, omitted, sources })),
    });
    reporter.recovered("onContext");
  } catch {
    reporter.warnOnce("onContext", "onContext threw an error; going on without");
  }
}
