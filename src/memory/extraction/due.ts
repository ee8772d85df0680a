import { codePointLength } from "../../text/index.js";
import type { WaitingEntry, WaitingTotals } from "../waiting-entry.js";

export interface DueOptions {
  /** Code points that must wait before an extraction starts. */
  readonly extractionTriggerChars: number;
  readonly idleExtraction?: { readonly afterMs: number; readonly minChars: number } | undefined;
}

/** Which sessions' messages are to be distilled: all from the trigger on, else those that have been still for long enough. */
export function dueSessions(
  totals: ReadonlyMap<string, WaitingTotals>,
  { extractionTriggerChars, idleExtraction }: DueOptions,
  now: number,
): ReadonlySet<string> {
  if (charactersOf(totals) >= extractionTriggerChars) return new Set(totals.keys());
  if (idleExtraction === undefined) return new Set();
  const stillSince = now - idleExtraction.afterMs;
  const still = new Map([...totals].filter(([, { lastTime }]) => lastTime <= stillSince));
  return new Set(charactersOf(still) >= idleExtraction.minChars ? still.keys() : []);
}

/** The messages of the due sessions, in order. */
export function dueEntries(
  waiting: readonly WaitingEntry[],
  options: DueOptions,
  now: number,
): readonly WaitingEntry[] {
  const due = dueSessions(totalsOf(waiting), options, now);
  return waiting.filter(({ session }) => due.has(session));
}

/** The oldest messages without which no more than `maxCharacters` wait. */
export function oldestBeyond(waiting: readonly WaitingEntry[], maxCharacters: number): WaitingEntry[] {
  let excess = charactersOf(totalsOf(waiting)) - maxCharacters;
  return waiting.filter(({ text }) => {
    const goes = excess > 0;
    excess -= codePointLength(text);
    return goes;
  });
}

export function charactersOf(totals: ReadonlyMap<string, WaitingTotals>): number {
  let characters = 0;
  for (const total of totals.values()) characters += total.characters;
  return characters;
}

function totalsOf(waiting: readonly WaitingEntry[]): Map<string, WaitingTotals> {
  return totalsWith(new Map(), waiting);
}

/** The totals when these wait too. */
export function totalsWith(
  former: ReadonlyMap<string, WaitingTotals>,
  waiting: readonly WaitingEntry[],
): Map<string, WaitingTotals> {
  const totals = new Map(former);
  for (const { session, text, time } of waiting) {
    const { characters = 0, messages = 0, lastTime = 0 } = totals.get(session) ?? {};
    totals.set(session, {
      characters: characters + codePointLength(text),
      messages: messages + 1,
      lastTime: Math.max(lastTime, time),
    });
  }
  return totals;
}
