import { createHash } from "node:crypto";
import { wordsKey } from "./memory-item.js";

/** What a person deleted, so that it is not learned again from what was said before: never as text. */
export interface Forgotten {
  /** Random, so that a hash can't be looked up by its words elsewhere. */
  readonly salt: string;
  /** In the order of their deletion. */
  readonly facts: readonly ForgottenFact[];
}

export interface ForgottenFact {
  readonly hash: string;
  /** Epoch milliseconds of the deletion. */
  readonly at: number;
  /** A person rejected it: it is not proposed again, whatever is said later. */
  readonly forGood?: true;
}

/** As many as a store may hold memories. */
const maxForgotten = 1000;
/** What a disk fault kept in memory is queued late, with the time at which it was said. */
const keptAtLeastMs = 24 * 60 * 60 * 1000;

export interface ForgetOptions {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Taken where nothing was forgotten before. */
  readonly newSalt: string;
  /** Not only from what was said until now. Default: false. */
  readonly forGood?: boolean;
}

export function withForgotten(
  forgotten: Forgotten | undefined,
  contents: readonly string[],
  { at, newSalt, forGood = false }: ForgetOptions,
): Forgotten {
  const { salt, facts } = forgotten ?? { salt: newSalt, facts: [] };
  const hashes = new Set(contents.map((content) => hashOf(salt, content)));
  const others = facts.filter(({ hash }) => !hashes.has(hash));
  const news = [...hashes].map((hash): ForgottenFact => (forGood ? { hash, at, forGood } : { hash, at }));
  return { salt, facts: [...others, ...news].slice(-maxForgotten) };
}

/** Whether this fact, in the same words, was deleted at the time at which its source was said or later. */
export function isForgotten(forgotten: Forgotten | undefined, content: string, saidAt: number): boolean {
  if (forgotten === undefined || forgotten.facts.length === 0) return false;
  const hash = hashOf(forgotten.salt, content);
  return forgotten.facts.some((fact) => fact.hash === hash && (fact.forGood === true || fact.at >= saidAt));
}

/** The times at which something was deleted: no part of the queue goes across one, so that before and after can be told. */
export function deletionTimes(forgotten: Forgotten | undefined): number[] {
  return [...new Set(forgotten?.facts.filter(({ forGood }) => forGood !== true).map(({ at }) => at))];
}

/** Lets go of what nothing that waits is older than. */
export function pruned(
  forgotten: Forgotten | undefined,
  oldestWaiting: number,
  now: number,
): Forgotten | undefined {
  const oldest = Math.min(oldestWaiting, now - keptAtLeastMs);
  const facts = forgotten?.facts.filter(({ at, forGood }) => forGood === true || at >= oldest) ?? [];
  return forgotten === undefined || facts.length === 0 ? undefined : { ...forgotten, facts };
}

/** Reads what a file holds. */
export function readForgotten(value: unknown): Forgotten | undefined {
  const { salt, facts } = (value ?? {}) as Record<string, unknown>;
  if (typeof salt !== "string" || !Array.isArray(facts)) return undefined;
  return { salt, facts: facts.filter(isFact) };
}

function isFact(value: unknown): value is ForgottenFact {
  const { hash, at } = (value ?? {}) as Record<string, unknown>;
  return typeof hash === "string" && typeof at === "number" && Number.isFinite(at);
}

function hashOf(salt: string, content: string): string {
  const hash = createHash("sha256").update(salt).update("\0").update(wordsKey(content));
  return hash.digest("base64url").slice(0, 22);
}
