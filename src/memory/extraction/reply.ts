import { cutToCodePoints, oneLine } from "../../text/index.js";
import { contentKey } from "../memory-item.js";
import { jsonValuesIn, parseObject, withoutLeadingReasoning } from "./json-in-text.js";

/** A fact as the extractor gave it. */
export interface LearnedFact {
  /**
   * One line, not yet cut to the length of a memory: a credential that the cut would halve must be whole where it is
   * looked for.
   */
  readonly content: string;
  /** The number of the session in the request, where the reply says so. */
  readonly session: number | undefined;
  /** The numbers of the known memories that it makes untrue, where the reply names any. */
  readonly replaces?: readonly number[];
}

/** Code points of a fact that are looked at: more than the longest credential that begins within a memory's length. */
const maxFactLength = 4000;

/** How deep the list of facts may stand in objects and arrays. */
const maxDepth = 4;

/**
 * Reads what a model replied: an array, an object with one array in it, one object with `content`, or strings, bare or in a
 * fence, with prose or reasoning around it. `undefined` where it is no complete JSON of such a shape, as after a refusal
 * or a reply that was cut short; an empty list where the model found nothing.
 */
export function readReply(reply: unknown): LearnedFact[] | undefined {
  return typeof reply === "string" ? readText(reply) : factsOf(reply);
}

function readText(reply: string): LearnedFact[] | undefined {
  // Whole first: JSON whose strings speak of fences or reasoning tags needs no cleaning.
  const whole = parseObject(reply.trim());
  if (whole !== undefined) return factsOf(whole);
  const values = jsonValuesIn(withoutLeadingReasoning(reply));
  if (values === undefined) return undefined;
  // One object a line, as the request itself has its messages.
  if (values.length > 1 && values.every(isItem)) return factsOf(values);
  // A list of bare strings may be a quotation in the prose around the answer.
  return (
    lastTelling(values.filter((value) => !isListOfStrings(value))) ??
    lastTelling(values) ??
    readings(values).at(-1)
  );
}

/** The last that holds a fact: what stands before it may be a draft. */
function lastTelling(values: readonly object[]): LearnedFact[] | undefined {
  return readings(values).findLast((facts) => facts.length > 0);
}

function readings(values: readonly object[]): LearnedFact[][] {
  return values.map((value) => factsOf(value)).filter((facts) => facts !== undefined);
}

function factsOf(value: unknown, depth = 0): LearnedFact[] | undefined {
  if (typeof value !== "object" || value === null || depth > maxDepth) return undefined;
  if (Array.isArray(value)) return factsOfList(value, depth);
  if (isItem(value)) return factsOfList([value], depth);
  const fields: unknown[] = Object.values(value);
  const lists = fields.filter(Array.isArray);
  const objects = fields.filter((field) => typeof field === "object" && field !== null);
  const [only] = lists.length === 1 ? lists : objects;
  return lists.length === 1 || objects.length === 1 ? factsOf(only, depth + 1) : undefined;
}

/** An unusable item is dropped alone; a list of nothing else (`[1]` in prose, items of another shape) is no answer. */
function factsOfList(values: readonly unknown[], depth: number): LearnedFact[] | undefined {
  const items = values.filter(isItem);
  if (items.length > 0 || values.length === 0) {
    return items.map(factOf).filter(({ content }) => contentKey(content) !== "");
  }
  return values.length === 1 ? factsOf(values[0], depth + 1) : undefined;
}

type Item = string | { readonly content: string; readonly session?: unknown; readonly replaces?: unknown };

function isItem(value: unknown): value is Item {
  if (typeof value === "string") return true;
  return (
    typeof value === "object" && value !== null && "content" in value && typeof value.content === "string"
  );
}

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
}

function factOf(item: Item): LearnedFact {
  const { content, session, replaces }: Exclude<Item, string> =
    typeof item === "string" ? { content: item } : item;
  const numbers = [replaces].flat().flatMap((one) => wholeNumber(one) ?? []);
  return {
    content: oneLine(cutToCodePoints(content, maxFactLength)),
    session: wholeNumber(session),
    ...(numbers.length > 0 && { replaces: numbers }),
  };
}

/** Models write a number as a string, too. */
function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) ? number : undefined;
}
