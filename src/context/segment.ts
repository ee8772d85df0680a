import { utf8Length } from "../text/index.js";

export type SegmentKind = "rules" | "skills" | "memory" | "summary" | "session";

/** One part of the injected context. */
export interface ContextSegment {
  readonly kind: SegmentKind;
  readonly text: string;
  /** Size of `text` in UTF-8. */
  readonly bytes: number;
  /** How many files or memories were left out because of a budget. */
  readonly omitted: number;
  /** File names or memory ids that went in. */
  readonly sources: readonly string[];
}

export interface AssembledContext {
  /** In their fixed order; only those that have something to say. */
  readonly segments: readonly ContextSegment[];
  /** The segments with a blank line between them; empty where there are none. */
  readonly text: string;
}

export function segment(
  kind: SegmentKind,
  text: string,
  omitted = 0,
  sources: readonly string[] = [],
): ContextSegment {
  return { kind, text, bytes: utf8Length(text), omitted, sources };
}
