import { cutToCodePoints, oneLine } from "../text/index.js";

/** A memory is at most this many Unicode code points. */
export const maxContentLength = 200;

/** Where a memory comes from when no session can be named. */
export const globalScope = "global";

/** One fact about the user that lasts across sessions. */
export interface MemoryItem {
  /** A UUID, where this library made it. */
  readonly id: string;
  /** One declarative sentence, at most 200 code points where this library wrote it. */
  readonly content: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** `"global"`, or the id of the session that it was learned in. For display only: every memory is injected everywhere. */
  readonly sourceScope: string;
}

/** A content as it is stored: one line, trimmed, at most 200 code points, no grapheme split. */
export function normalizeContent(content: string): string {
  return cutToCodePoints(oneLine(content), maxContentLength).trimEnd();
}

/** Two contents with the same key are the same fact: Unicode form, spaces and zero-width characters make no difference. */
export function contentKey(content: string): string {
  return oneLine(content)
    .normalize("NFC")
    .replaceAll(/[\u200B-\u200D\u2060\uFEFF]/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim();
}
