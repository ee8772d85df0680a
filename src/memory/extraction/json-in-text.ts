import { endsOfReasoning, opensWithReasoning } from "../../messages/reasoning.js";

/** Each character may be looked at so many times: a bracket without an end costs a look at all that follows. */
const looksPerCharacter = 20;

/**
 * The JSON objects and arrays that stand in a text, outermost only, in order. `undefined` where one is begun and not
 * closed (a reply that was cut short), or where the text is so full of brackets that it can't be read in linear time.
 */
export function jsonValuesIn(text: string): object[] | undefined {
  return scan(text)?.map(({ value }) => value);
}

/**
 * The text after the reasoning that some models write before their answer. A closing tag within a JSON value is a part of
 * the answer; an opening one without an end leaves nothing, since all of it is reasoning.
 */
export function withoutLeadingReasoning(text: string): string {
  const ends = endsOfReasoning(text, maxTags);
  const last = ends.findLast((end, index) => {
    const from = ends[index - 1] ?? 0;
    const values = scan(text.slice(from)) ?? [];
    return !values.some((value) => from + value.start < end && end <= from + value.end);
  });
  const answer = text.slice(last ?? 0);
  return opensWithReasoning(answer) ? "" : answer;
}

/** So many closing tags are told from those in the answer's own strings; of more, the last ones. */
const maxTags = 8;

/** Parses what is nothing but a JSON object or array; `undefined` for all else, a bare number or string included. */
export function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

interface PlacedValue {
  readonly value: object;
  readonly start: number;
  readonly end: number;
}

function scan(text: string): PlacedValue[] | undefined {
  const values: PlacedValue[] = [];
  const openings = /[[{]/g;
  let looks = text.length * looksPerCharacter;
  for (let opening = openings.exec(text); opening !== null; opening = openings.exec(text)) {
    const start = opening.index;
    const end = closingOf(text, start);
    if (end === undefined && looksLikeJson(text, start)) return undefined;
    looks -= (end ?? text.length) - start;
    if (looks < 0) return undefined;
    const value = end === undefined ? undefined : parseObject(text.slice(start, end));
    if (value === undefined || end === undefined) continue;
    values.push({ value, start, end });
    openings.lastIndex = end;
  }
  return values;
}

/** A bracket of prose ("[see below") is no reply cut short. */
function looksLikeJson(text: string, start: number): boolean {
  return /^(?:\[\s*(?:[[{"]|$)|\{\s*(?:"|$))/.test(text.slice(start, start + 200));
}

/** The position after the bracket that closes the one at `start`; brackets within strings don't count. */
function closingOf(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (isInString) {
      if (character === "\\") index++;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "[" || character === "{") depth++;
    else if ((character === "]" || character === "}") && --depth === 0) return index + 1;
  }
  return undefined;
}
