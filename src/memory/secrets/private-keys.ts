import type { Span } from "./span.js";

const begin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const end = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
// What is left of a key that was cut off before its last line.
const cutBody = /(?:\s|\\[nr])*[A-Za-z0-9+/=]{40,}(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{16,})*/y;

/**
 * PEM and PGP private keys, on several lines or in one (with spaces or a written `\n`), with or without their last line.
 * A sentence that only names the marker line is none.
 */
export function findPrivateKeys(text: string): Span[] {
  const spans: Span[] = [];
  if (!text.includes("-----BEGIN ")) return spans;
  const ends = [...text.matchAll(end)].map((match) => match.index + match[0].length);
  let nextEnd = 0;
  for (const match of text.matchAll(begin)) {
    if (match.index < (spans.at(-1)?.end ?? 0)) continue;
    const bodyStart = match.index + match[0].length;
    while (nextEnd < ends.length && (ends[nextEnd] ?? 0) <= bodyStart) nextEnd += 1;
    const keyEnd = ends[nextEnd] ?? endOfCutBody(text, bodyStart);
    if (keyEnd - bodyStart > 60) spans.push({ start: match.index, end: keyEnd });
  }
  return spans;
}

function endOfCutBody(text: string, bodyStart: number): number {
  cutBody.lastIndex = bodyStart;
  return bodyStart + (cutBody.exec(text)?.[0].length ?? 0);
}
