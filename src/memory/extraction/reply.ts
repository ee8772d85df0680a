import { withoutReasoning } from "../../messages/chat-message.js";
import { normalizeContent } from "../memory-item.js";

/** A fact as the extractor gave it. */
export interface LearnedFact {
  /** One line of at most 200 code points. */
  readonly content: string;
  /** The number of the session in the request, where the reply says so. */
  readonly session: number | undefined;
}

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
  const whole = parse(reply.trim());
  if (whole !== undefined) return factsOf(whole);
  const candidates = jsonValues(withoutReasoning(reply));
  if (candidates === undefined) return undefined;
  const readings = candidates.map(factsOf).filter((facts) => facts !== undefined);
  return readings.findLast((facts) => facts.length > 0) ?? readings.at(-1);
}

/**
 * The JSON objects and arrays that stand in a text, outermost only. `undefined` where the last one is not closed: a reply
 * cut short keeps nothing, since its last fact may be half a fact.
 */
function jsonValues(text: string): unknown[] | undefined {
  const values: unknown[] = [];
  let position = 0;
  let unclosed = 0;
  // Each bracket without an end costs a look at all that follows, so a reply made of them is not followed for ever.
  while (position < text.length && unclosed < maxUnclosed) {
    const start = nextOpening(text, position);
    if (start === -1) break;
    const end = closingOf(text, start);
    const value = end === undefined ? undefined : parse(text.slice(start, end));
    if (value !== undefined && end !== undefined) {
      values.push(value);
      position = end;
    } else if (end === undefined && looksLikeJson(text, start)) {
      return undefined;
    } else {
      if (end === undefined) unclosed++;
      position = start + 1;
    }
  }
  return values;
}

const maxUnclosed = 50;

function nextOpening(text: string, from: number): number {
  const rest = text.slice(from).search(/[[{]/);
  return rest === -1 ? -1 : from + rest;
}

/** A bracket of prose ("[see below") is no reply cut short. */
function looksLikeJson(text: string, start: number): boolean {
  return /^(?:\[\s*(?:[[{"]|$)|\{\s*(?:"|$))/.test(text.slice(start, start + 200));
}

/** The position after the bracket that closes the one at `start`; brackets within strings don't count. */
function closingOf(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === "\\") index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "[" || character === "{") depth++;
    else if ((character === "]" || character === "}") && --depth === 0) return index + 1;
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function factsOf(value: unknown): LearnedFact[] | undefined {
  if (Array.isArray(value)) return factsOfList(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (isItem(value)) return factsOfList([value]);
  const fields = Object.values(value);
  const lists = fields.filter(Array.isArray);
  const objects = fields.filter((field) => typeof field === "object" && field !== null);
  const [only] = lists.length === 1 ? lists : objects;
  return lists.length === 1 || objects.length === 1 ? factsOf(only) : undefined;
}

/** An unusable item is dropped alone; a list of nothing else (`[1]` in prose, items of another shape) is no answer. */
function factsOfList(values: readonly unknown[]): LearnedFact[] | undefined {
  const items = values.filter(isItem);
  if (items.length === 0 && values.length > 0) return undefined;
  return items.map(factOf).filter(({ content }) => content !== "");
}

type Item = string | { readonly content: string; readonly session?: unknown };

function isItem(value: unknown): value is Item {
  if (typeof value === "string") return true;
  return (
    typeof value === "object" && value !== null && "content" in value && typeof value.content === "string"
  );
}

function factOf(item: Item): LearnedFact {
  if (typeof item === "string") return { content: normalizeContent(item), session: undefined };
  const { content, session } = item;
  return { content: normalizeContent(content), session: typeof session === "number" ? session : undefined };
}
