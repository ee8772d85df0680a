import { saySame } from "./is-near-duplicate.js";
import { meaningOf } from "./meaning.js";

interface Fact {
  readonly id: string;
  readonly content: string;
}

/**
 * Gives each new fact that says the same as a known one, or as a new one before it, in the words of that one: whoever
 * joins them finds it equal, and keeps what is there.
 *
 * @param isReplaced Whether the new fact takes the place of a known one: then its own words are wanted.
 */
export function inKnownWords<Item extends Fact>(
  facts: readonly Item[],
  known: readonly Fact[],
  isReplaced: (fact: Item, known: Fact) => boolean = () => false,
): Item[] {
  const told = known.map((fact) => ({ fact, meaning: meaningOf(fact.content) }));
  return facts.map((fact) => {
    const meaning = meaningOf(fact.content);
    const same = told.find((one) => saySame(one.meaning, meaning) && !isReplaced(fact, one.fact));
    if (same !== undefined) return { ...fact, content: same.fact.content };
    told.push({ fact, meaning });
    return fact;
  });
}
