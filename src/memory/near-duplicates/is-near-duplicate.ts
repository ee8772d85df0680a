import { isMeaning } from "./known-words.js";
import { type Meaning, meaningOf } from "./meaning.js";

/** How much of all that is said may stand on one side alone. */
const maxOneSided = 0.05;

/**
 * Whether two facts say the same in other words. Told without a model, by the words that they share, and careful: a denial,
 * a number, a day, another name or thing on either side makes them two. In doubt they are two, since a fact that is stored
 * twice is a smaller fault than one that is lost.
 */
export function isNearDuplicate(first: string, second: string): boolean {
  return saySame(meaningOf(first), meaningOf(second));
}

/** The same of what was read before: a store has many facts. */
export function saySame(left: Meaning, right: Meaning): boolean {
  if (left.negations !== right.negations) return false;
  if (left.exact.join(" ") !== right.exact.join(" ")) return false;
  if (left.verb !== undefined && right.verb !== undefined && left.verb !== right.verb) return false;
  if (differ(left.relations, right.relations)) return false;
  if (left.isOfProject !== right.isOfProject && (left.isOfProject ? right : left).isOfUser) return false;
  // A number alone says nothing: two of something may be told by two words, "two" and what it is two of.
  if (left.words.length === 0 && left.exact.length < 2) return false;
  if (right.words.length === 0 && right.exact.length < 2) return false;
  const [onlyLeft, onlyRight] = [without(left.words, right.words), without(right.words, left.words)];
  if (onlyLeft.length > 0 && onlyRight.length > 0) {
    return onlyLeft.join("") === onlyRight.join("");
  }
  const extra = [...onlyLeft, ...onlyRight];
  // What a user wants of an answer is often told as an order, without the user.
  const lacking = onlyLeft.length > 0 ? right : left;
  const more = extra.filter((word) => word !== "=want" || lacking.isOfUser);
  if (more.some(isMeaning)) return false;
  if (weightOf(more) > maxOneSided * (weightOf(left.words) + weightOf(right.words))) return false;
  return inSameOrder(
    shared(left.words, right.words),
    shared(right.words, left.words),
    left.isDirected || right.isDirected,
  );
}

/** To work for somebody is not to work with somebody; but either may be left unsaid. */
function differ(relations: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return without([...relations], others).length > 0 && without([...others], relations).length > 0;
}

/** Those of the first that the second lacks; what is said twice counts once. */
function without(words: readonly string[], others: Iterable<string>): string[] {
  const known = new Set(others);
  return [...new Set(words)].filter((word) => !known.has(word));
}

function shared(words: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return [...new Set(words)].filter((word) => known.has(word));
}

/** "The editor is Helix" and "Helix is the editor" say the same; where it matters what comes first they don't. */
function inSameOrder(words: readonly string[], others: readonly string[], isDirected: boolean): boolean {
  if (isDirected) return words.join(" ") === others.join(" ");
  const [these, those] = [words, others].map((all) => all.filter((word) => !isMeaning(word))) as [
    string[],
    string[],
  ];
  const start = these.indexOf(those[0] ?? "");
  return [...these.slice(start), ...these.slice(0, start)].join(" ") === those.join(" ");
}

/** A character of Chinese is about half a word. */
function weightOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (/^\.?\p{Script=Han}$/u.test(word) ? 1 : 2), 0);
}
