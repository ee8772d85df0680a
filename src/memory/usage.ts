import { daysBefore } from "./local-date.js";

/** What learning cost on one day, and what came of it. */
export interface DayUsage {
  /** The local date, such as `"2026-12-01"`. */
  readonly day: string;
  /** Attempts for which a model was asked; at most two requests each. */
  readonly extractions: number;
  /** Requests that were made of the model; what its client tries again by itself is not seen here. */
  readonly requests: number;
  /** Code points that were sent. */
  readonly characters: number;
  /** Facts that were stored. */
  readonly stored: number;
  /** Attempts that failed, with or without a request. */
  readonly failures: number;
}

export type UsageCount = Partial<Omit<DayUsage, "day">>;

const daysKept = 30;

/** The same with so much more on that day: oldest day first, and none that is 30 days older than the newest. */
export function withUsage(usage: readonly DayUsage[], day: string, count: UsageCount): DayUsage[] {
  const former = usage.find((one) => one.day === day) ?? emptyDay(day);
  const changed = {
    day,
    extractions: former.extractions + (count.extractions ?? 0),
    requests: former.requests + (count.requests ?? 0),
    characters: former.characters + (count.characters ?? 0),
    stored: former.stored + (count.stored ?? 0),
    failures: former.failures + (count.failures ?? 0),
  };
  const days = [...usage.filter((one) => one.day !== day), changed];
  days.sort((left, right) => (left.day < right.day ? -1 : 1));
  return recentUsage(days, days.at(-1)?.day ?? day);
}

/** The 30 days that end with this one; a later one, of a clock that was wrong, is kept too. */
export function recentUsage(usage: readonly DayUsage[], today: string): DayUsage[] {
  const oldest = daysBefore(today, daysKept - 1);
  return usage.filter(({ day }) => day >= oldest).slice(-daysKept);
}

export function usageOf(usage: readonly DayUsage[] | undefined, day: string): DayUsage {
  return usage?.find((one) => one.day === day) ?? emptyDay(day);
}

/** Reads what a file holds; what is no day is left out. */
export function readUsage(value: unknown): DayUsage[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    const { day, ...counts } = (one ?? {}) as Record<string, unknown>;
    if (typeof day !== "string" || !/^\d{4}-\d\d-\d\d$/.test(day)) return [];
    return {
      day,
      extractions: countOf(counts.extractions),
      requests: countOf(counts.requests),
      characters: countOf(counts.characters),
      stored: countOf(counts.stored),
      failures: countOf(counts.failures),
    };
  });
}

function emptyDay(day: string): DayUsage {
  return { day, extractions: 0, requests: 0, characters: 0, stored: 0, failures: 0 };
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
