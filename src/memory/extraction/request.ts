import type { ExtractionTexts } from "../../locales/index.js";
import { localDate } from "../local-date.js";
import type { WaitingEntry } from "../waiting-entry.js";
import type { KnownMemory } from "./known-memories.js";
import type { PartMessage, RenderLine } from "./part.js";

/** One system message and one user message: strict servers refuse a second of either. */
export interface ExtractionRequest {
  readonly system: string;
  readonly user: string;
}

export function buildRequest(
  texts: ExtractionTexts,
  known: readonly KnownMemory[],
  part: readonly PartMessage[],
  render: RenderLine,
  { consolidate = false }: { readonly consolidate?: boolean } = {},
): ExtractionRequest {
  const lines = part.map(({ entry, text }) => render(entry, text));
  const conversation = `${texts.conversationHeading}\n${lines.join("\n")}`;
  const memories = known.length === 0 ? "" : `${texts.knownHeading}\n${JSON.stringify(known)}\n\n`;
  const system = consolidate ? `${texts.instruction}\n\n${texts.replacing}` : texts.instruction;
  return { system, user: `${memories}${conversation}` };
}

/**
 * Renders a message with the local time at which it was said, by which the extractor turns "tomorrow" into a date, and
 * with the number of its session where there are several.
 */
export function lineRenderer(
  { weekdays }: ExtractionTexts,
  sessionNumbers: ReadonlyMap<string, number>,
): RenderLine {
  return ({ role, time, session }, text) => {
    const said = new Date(time);
    return JSON.stringify({
      ...(sessionNumbers.size > 1 && { session: sessionNumbers.get(session) }),
      role,
      date: localDate(said),
      weekday: weekdays[said.getDay()],
      utcOffset: utcOffset(said),
      content: text,
    });
  };
}

/** Sessions numbered from 1 in the order in which they first speak. */
export function numberSessions(entries: readonly WaitingEntry[]): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { session } of entries) {
    if (!numbers.has(session)) numbers.set(session, numbers.size + 1);
  }
  return numbers;
}

function utcOffset(time: Date): string {
  const minutes = -time.getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
}
