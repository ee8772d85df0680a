import type { ContextTexts } from "../locales/context-texts.js";
import { cutToBytes, utf8Length, withoutLoneSurrogates } from "../text/index.js";
import { type ContextSegment, segment } from "./segment.js";

/** The rolling summary; its size is the host's affair. */
export function summarySegment(summary: string | undefined, texts: ContextTexts): ContextSegment | undefined {
  const text = cleaned(summary);
  return text === "" ? undefined : segment("summary", `${texts.summaryHeading}\n\n${text}`);
}

/** What the app says of the session now, and last its plan, which has a budget of its own. */
export function sessionSegment(
  sessionContext: string | undefined,
  planContext: string | undefined,
  planBudget: number,
  texts: ContextTexts,
): ContextSegment | undefined {
  const session = cleaned(sessionContext);
  const parts = [
    session === "" ? "" : `${texts.sessionHeading}\n\n${session}`,
    planPart(cleaned(planContext), planBudget, texts),
  ].filter((part) => part !== "");
  return parts.length === 0 ? undefined : segment("session", parts.join("\n\n"));
}

function planPart(plan: string, budget: number, texts: ContextTexts): string {
  if (plan === "") return "";
  const heading = `${texts.planHeading}\n\n`;
  const room = budget - utf8Length(heading);
  if (utf8Length(plan) <= room) return heading + plan;
  const mark = texts.planCutMark(budget);
  const kept = cutToBytes(plan, room - utf8Length(`\n${mark}`)).trimEnd();
  const cut = heading + (kept === "" ? mark : `${kept}\n${mark}`);
  return utf8Length(cut) <= budget ? cut : "";
}

/** Without blank lines at its beginning and end, otherwise as the app wrote it. */
function cleaned(text: string | undefined): string {
  return withoutLoneSurrogates(text ?? "")
    .replace(/^\s*[\n\r]/u, "")
    .trimEnd();
}
