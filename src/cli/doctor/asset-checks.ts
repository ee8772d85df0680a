import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { faultName } from "../../errors.js";
import type { FindingCode } from "../../locales/people-doctor.js";
import { holdsSecret } from "../../memory/secrets/index.js";
import type { ContextView } from "../../people/context-view.js";
import { oneLine } from "../../text/index.js";
import type { AssetSummary, MemoryWorkspace } from "../../workspace/index.js";
import { type Finding, finding } from "./finding.js";

/** Why a rule or a skill may not be followed. @param warnings What the workspace said while it read the folder. */
export async function checkAssets(
  app: MemoryWorkspace,
  kind: "rules" | "skills",
  view: ContextView,
  warnings: () => readonly string[],
): Promise<Finding[]> {
  const folder = join(app.parts.options.dir, kind);
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const reason = faultName(error);
    return reason === "ENOENT" ? [] : [finding("fault", "folder-unusable", { path: folder, reason })];
  }
  const [files, settings] = await Promise.all([app[kind].list(), app.settings.get()]);
  const isOn = kind === "rules" ? settings.aiRulesEnabled : settings.aiSkillsEnabled;
  const usable = new Map(files.map((file) => [file.filename, file]));
  const leftOut = view.uses.find((use) => use.kind === kind)?.leftOut ?? [];
  const reasons = new Map(leftOut.map(({ id, reason }) => [id, reason]));
  const findings = isOn || files.length === 0 ? [] : [finding("warning", "asset-class-off", { kind })];
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const name = oneLine(entry.name);
    const path = `${kind}/${name}`;
    const skipped = skippedAs(entry);
    const file = usable.get(entry.name);
    if (skipped !== undefined) findings.push(finding("note", skipped, { path }));
    else if (file === undefined) {
      findings.push(finding("fault", "asset-unusable", { path, reason: skipReason(path, warnings()) }));
    } else {
      findings.push(
        ...(await checkFile(app, kind, file, { path, reason: isOn ? reasons.get(entry.name) : undefined })),
      );
      if (warnings().some((one) => one.startsWith(`${path} has `))) {
        findings.push(finding("warning", "asset-frontmatter", { path }));
      }
    }
  }
  return findings;
}

async function checkFile(
  app: MemoryWorkspace,
  kind: "rules" | "skills",
  { filename, bytes, truncated }: AssetSummary,
  { path, reason }: { readonly path: string; readonly reason: "budget" | "off" | "empty" | undefined },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (truncated) {
    const budget = app.parts.options.assetFileBudget;
    findings.push(finding("warning", "asset-truncated", { path, bytes, budget }));
  }
  if (reason === "off") findings.push(finding("note", "asset-off", { path, kind, filename }));
  if (reason === "empty") findings.push(finding("warning", "asset-empty", { path }));
  if (reason === "budget") findings.push(finding("warning", "asset-over-budget", { path }));
  const text = await app[kind].read(filename).catch(() => "");
  if (await holdsSecret(text)) findings.push(finding("fault", "asset-holds-secret", { path }));
  return findings;
}

function skippedAs(entry: Dirent): FindingCode | undefined {
  if (entry.isSymbolicLink()) return "asset-skipped-link";
  if (entry.isDirectory()) return "asset-skipped-folder";
  if (entry.name.startsWith(".")) return "asset-skipped-hidden";
  return entry.name.toLowerCase().endsWith(".md") ? undefined : "asset-skipped-ending";
}

function skipReason(path: string, warnings: readonly string[]): string {
  const start = `${path} is skipped: `;
  return warnings.find((one) => one.startsWith(start))?.slice(start.length) ?? "unknown reason";
}
