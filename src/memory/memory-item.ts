import { cutToCodePoints, oneLine } from "../text/index.js";
import type { MemorySource } from "./memory-source.js";

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
  /**
   * A person wants it kept: the limit evicts others, and the budget leaves others out. Absent where it isn't pinned.
   *
   * @default false
   */
  readonly pinned?: boolean | undefined;
  /** Where a model learned it. Absent where a person, an app or a tool wrote it. */
  readonly source?: MemorySource | undefined;
}

/** Whether something newly learned may take its place: never of what a person or a tool wrote, a person corrected, or pinned. */
export function isReplaceable({ source, pinned }: MemoryItem): boolean {
  return source !== undefined && source.byHandAt === undefined && pinned !== true;
}

/**
 * The sessions that it came from: those it was learned in, or was written with as its source. What a person has corrected
 * since is theirs and no session's.
 */
export function sessionsOf({ source, sourceScope }: MemoryItem): readonly string[] {
  if (source !== undefined) return source.byHandAt === undefined ? source.sessionIds : [];
  // `global` says of what was written by hand that no session is known.
  return sourceScope === globalScope ? [] : [sourceScope];
}

/** The same fact as a person's own: where it came from stays with it. */
export function byHand(item: MemoryItem, at: number): MemoryItem {
  return item.source === undefined ? item : { ...item, source: { ...item.source, byHandAt: at } };
}

/** A copy that shares nothing which can be changed. */
export function copyOfItem({ source, ...item }: MemoryItem): MemoryItem {
  return source === undefined
    ? item
    : {
        ...item,
        source: { ...source, sessionIds: [...source.sessionIds], messageIds: [...source.messageIds] },
      };
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

/**
 * Two contents with the same words, in any case and however they end. For what was deleted: there a fact too many is worse
 * than one too few, while of what is stored "Go" and "go" may be two.
 */
export function wordsKey(content: string): string {
  const key = contentKey(content);
  const words = key.toLowerCase().replace(/[\s.,;:!?…。，；：！？、]+$/u, "");
  return words === "" ? key : words.normalize("NFC");
}
