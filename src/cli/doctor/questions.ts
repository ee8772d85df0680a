import type { DoctorTexts } from "../../locales/people-doctor.js";
import type { ContextView } from "../../people/context-view.js";
import type { MemoryWorkspace } from "../../workspace/index.js";
import { localTime } from "../format.js";
import type { Finding } from "./finding.js";
import { findingText } from "./finding-text.js";

export interface Answer {
  readonly question: string;
  readonly lines: readonly string[];
}

/** "A rule or skill is not followed": what becomes of each file, and what would change it. */
export function answerNotFollowed(
  view: ContextView,
  findings: readonly Finding[],
  texts: DoctorTexts,
): Answer {
  const followed = view.uses
    .filter(({ kind }) => kind === "rules" || kind === "skills")
    .flatMap(({ kind, included }) => included.map((filename) => `${kind}/${filename}: ${texts.followed}`));
  const others = findings
    .filter(({ code }) => code.startsWith("asset-") && code !== "asset-holds-secret")
    .map((one) => findingText(one, texts));
  const lines = [...followed, ...others];
  return { question: texts.notFollowed, lines: lines.length === 0 ? [texts.noFiles] : lines };
}

/** "Nothing is learned": the switch, what waits against the trigger, the last time. */
export async function answerNotLearned(workspace: MemoryWorkspace, texts: DoctorTexts): Promise<Answer> {
  const [settings, waiting, sessions] = await Promise.all([
    workspace.settings.get(),
    workspace.waiting.count().catch(() => undefined),
    workspace.sessions.list().catch(() => []),
  ]);
  const trigger = workspace.parts.options.extractionTriggerChars;
  const latest = Math.max(0, ...sessions.map(({ extractedAt = 0 }) => extractedAt));
  const characters = waiting?.characters ?? 0;
  return {
    question: texts.notLearned,
    lines: [
      settings.aiMemoryEnabled ? texts.memoryIsOn : texts.memoryIsOff,
      texts.waits(characters, trigger),
      characters >= trigger ? texts.due : texts.notDue,
      latest > 0 ? texts.lastExtraction(localTime(latest)) : texts.neverExtracted,
      texts.addByHand,
    ],
  };
}
