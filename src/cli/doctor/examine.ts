import { join } from "node:path";
import { safeName } from "../../files/index.js";
import type { DoctorTexts } from "../../locales/people-doctor.js";
import { viewContext } from "../../people/context-view.js";
import type { MemoryWorkspace } from "../../workspace/index.js";
import { checkAssets } from "./asset-checks.js";
import type { Finding } from "./finding.js";
import { checkFolder } from "./folder-checks.js";
import { checkMemories } from "./memory-checks.js";
import { type Answer, answerNotFollowed, answerNotLearned } from "./questions.js";
import { checkSettings } from "./settings-checks.js";

export interface Examination {
  readonly folder: string;
  /** Faults first. */
  readonly findings: readonly Finding[];
  readonly answers: readonly Answer[];
}

export interface ExamineParts {
  readonly app: MemoryWorkspace;
  readonly workspace: MemoryWorkspace;
  readonly userId?: string | undefined;
  /** What the workspaces have warned of so far. */
  readonly warnings: () => readonly string[];
  readonly texts: DoctorTexts;
}

/** Reads everything that there is and changes nothing. */
export async function examine({
  app,
  workspace,
  userId,
  warnings,
  texts,
}: ExamineParts): Promise<Examination> {
  const folder = app.parts.options.dir;
  const home = userId === undefined ? folder : join(folder, "users", safeName(userId));
  const ofFolder = await checkFolder(folder);
  // A look must not make what it looks for: the folders of rules and skills are made where they are read.
  if (ofFolder.some(({ code }) => code !== "folder-open-to-others")) {
    return { folder, findings: ofFolder, answers: [] };
  }
  const view = await viewContext(workspace);
  const findings = [
    ...ofFolder,
    ...(await checkMemories(workspace, home)),
    ...(await checkSettings(app, home === folder ? [folder] : [folder, home])),
    ...(await checkAssets(app, "rules", view, warnings)),
    ...(await checkAssets(app, "skills", view, warnings)),
  ];
  const levels = ["fault", "warning", "note"];
  return {
    folder,
    findings: findings.toSorted((left, right) => levels.indexOf(left.level) - levels.indexOf(right.level)),
    answers: [answerNotFollowed(view, findings, texts), await answerNotLearned(workspace, texts)],
  };
}
