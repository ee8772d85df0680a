import { likeness, type Vector } from "./embeddings.js";

/** How much meaning counts beside the words. */
const meaningShare = 0.5;

/**
 * What each memory is worth by its words and its meaning together, both from 0 to 1. Embeddings find every text somewhat
 * like every other: only what is liker than the average counts.
 *
 * @param vectors By number; `undefined` for a memory that has none yet, which its words speak for.
 */
export function rankByMeaning(
  byWords: Float64Array,
  vectors: readonly (Vector | undefined)[],
  query: Vector,
): Float64Array {
  const likes = vectors.map((vector) => (vector === undefined ? undefined : likeness(vector, query)));
  const known = likes.filter((like) => like !== undefined);
  const average = known.reduce((sum, like) => sum + like, 0) / Math.max(1, known.length);
  const above = Float64Array.from(likes, (like) => Math.max(0, (like ?? average) - average));
  const meanings = withinOne(above);
  return withinOne(byWords).map(
    (value, number) => (1 - meaningShare) * value + meaningShare * (meanings[number] as number) ** 2,
  );
}

/** The best is 1. */
export function withinOne(values: Float64Array): Float64Array {
  const most = values.reduce((max, value) => Math.max(max, value), 0) || 1;
  return values.map((value) => value / most);
}
