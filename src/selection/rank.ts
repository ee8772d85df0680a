import type { WordIndex } from "./word-index.js";
import { shortened } from "./words.js";

/** Memories that the query finds at once say what else belongs to it: so many of them, so many of their terms. */
const feedback = { memories: 10, terms: 20, weight: 0.3 };

/** What was learned just before and just after has often to do with it. */
const neighbourWeight = 0.05;

/** What each memory is worth for these words, by its number; zeros where no word is found. Pure. */
export function rankByWords(index: WordIndex, words: string): Float64Array {
  const query = index.query(shortened(words));
  const first = index.scores(query);
  if (query.size === 0) return first;
  return withNeighbours(index.scores(withFeedback(index, query, first)));
}

function withFeedback(
  index: WordIndex,
  query: ReadonlyMap<number, number>,
  scores: Float64Array,
): Map<number, number> {
  const best = highest(scores, feedback.memories);
  const total = best.reduce((sum, memory) => sum + (scores[memory] as number), 0);
  const shares = new Map(best.map((memory) => [memory, (scores[memory] as number) / total]));
  const telling = index.tellingTerms(shares).slice(0, feedback.terms);
  const most = telling[0]?.[1] ?? 1;
  const widened = new Map(query);
  for (const [term, weight] of telling) {
    widened.set(term, (widened.get(term) ?? 0) + (feedback.weight * weight) / most);
  }
  return widened;
}

/** The numbers of the highest scores above zero, the highest first. */
function highest(scores: Float64Array, count: number): number[] {
  const best: number[] = [];
  for (const [memory, score] of scores.entries()) {
    if (score <= 0 || (best.length === count && score <= (scores[best.at(-1) as number] as number))) continue;
    let place = best.length;
    while (place > 0 && (scores[best[place - 1] as number] as number) < score) place--;
    best.splice(place, 0, memory);
    if (best.length > count) best.pop();
  }
  return best;
}

function withNeighbours(scores: Float64Array): Float64Array {
  return scores.map(
    (score, memory) => score + neighbourWeight * ((scores[memory - 1] ?? 0) + (scores[memory + 1] ?? 0)),
  );
}
