/** Tags between which some models write their reasoning into the text of their answer. */
const names = "think|thinking|thought|reasoning";
const anyTag = new RegExp(`<(/?)(?:${names})>`, "gi");
const closingTag = new RegExp(`</(?:${names})>`, "gi");
const openingAtStart = new RegExp(`^\\s*<(?:${names})>`, "i");

export function opensWithReasoning(text: string): boolean {
  return openingAtStart.test(text);
}

/** The places right behind the last closing tags, so many at most, in order. */
export function endsOfReasoning(text: string, max: number): number[] {
  const ends: number[] = [];
  for (const tag of text.matchAll(closingTag)) {
    ends.push(tag.index + tag[0].length);
    if (ends.length > max) ends.shift();
  }
  return ends;
}

/** What follows the last closing tag, also where the opening one is missing (some servers swallow it). */
export function withoutReasoning(text: string): string {
  const answer = text.slice(endsOfReasoning(text, 1)[0] ?? 0);
  return opensWithReasoning(answer) ? "" : answer;
}

/** Removes only reasoning that opens an answer: one that speaks of such tags keeps them. */
export function withoutOpeningReasoning(text: string): string {
  if (!opensWithReasoning(text)) return text;
  let rest = text;
  while (opensWithReasoning(rest)) {
    const end = endOfFirstReasoning(rest);
    if (end === undefined) return withoutReasoning(rest).trimStart();
    rest = rest.slice(end);
  }
  return rest.trimStart();
}

/** Behind the tag that closes the first opening one, over pairs within it; `undefined` where none does. */
function endOfFirstReasoning(text: string): number | undefined {
  let depth = 0;
  for (const tag of text.matchAll(anyTag)) {
    depth += tag[1] === "" ? 1 : -1;
    if (depth === 0) return tag.index + tag[0].length;
  }
  return undefined;
}
