import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { faultName } from "../../errors.js";
import { readText } from "../../files/index.js";
import { maxContentLength } from "../../memory/memory-item.js";
import { holdsSecret } from "../../memory/secrets/index.js";
import { codePointLength } from "../../text/index.js";
import type { MemoryWorkspace } from "../../workspace/index.js";
import { firstCharacters } from "../format.js";
import { type Finding, finding } from "./finding.js";
import { readJson } from "./read-json.js";

/** What can be wrong with what is remembered and what waits. @param home The folder of the app or of one user. */
export async function checkMemories(workspace: MemoryWorkspace, home: string): Promise<Finding[]> {
  return (
    await Promise.all([
      checkFile(workspace, join(home, "memory", "memory.json")),
      checkItems(workspace),
      checkCandidates(workspace, join(home, "memory", "candidates.json")),
      checkList(join(home, "memory", "history.json")),
      checkWaiting(join(home, "memory", "waiting.jsonl")),
      checkSessions(join(home, "chats")),
      checkExtraction(workspace),
      checkMovedAside(home),
    ])
  ).flat();
}

async function checkFile(workspace: MemoryWorkspace, path: string): Promise<Finding[]> {
  const reading = await readJson(path);
  if (reading.state !== "read" || !Array.isArray(reading.value)) {
    return checkList(path, "memories-unreadable");
  }
  const unusable = reading.value.length - (await workspace.memories.list()).length;
  return unusable > 0 ? [finding("fault", "memories-unusable", { path, count: unusable })] : [];
}

/** Whether a file is a list at all. */
async function checkList(
  path: string,
  unreadable: "memories-unreadable" | "list-unreadable" = "list-unreadable",
): Promise<Finding[]> {
  const reading = await readJson(path);
  if (reading.state === "missing") return [];
  if (reading.state === "unreadable") {
    return [finding("fault", unreadable, { path, reason: reading.reason })];
  }
  const isList = reading.state === "read" && Array.isArray(reading.value);
  return isList ? [] : [finding("fault", "memories-no-array", { path })];
}

async function checkCandidates(workspace: MemoryWorkspace, path: string): Promise<Finding[]> {
  const findings = await checkList(path);
  const { length: count } = findings.length > 0 ? [] : await workspace.candidates.list();
  return count > 0 ? [...findings, finding("note", "candidates-wait", { count })] : findings;
}

/** So many held all facts of the longest conversations that were measured (`docs/benchmarks.md`). */
const roomyLimit = 325;

async function checkItems(workspace: MemoryWorkspace): Promise<Finding[]> {
  const items = await workspace.memories.list().catch(() => []);
  const { aiMemoryEnabled, aiMemoryLimit } = await workspace.settings.get();
  const findings: Finding[] = [];
  if (!aiMemoryEnabled) findings.push(finding("warning", "memory-off"));
  const tooLong = items.filter(({ content }) => codePointLength(content) > maxContentLength).length;
  if (tooLong > 0) findings.push(finding("warning", "memories-too-long", { count: tooLong }));
  if (items.length > aiMemoryLimit) {
    findings.push(finding("warning", "memories-over-limit", { count: items.length, limit: aiMemoryLimit }));
  }
  if (items.length >= aiMemoryLimit && aiMemoryLimit < roomyLimit) {
    findings.push(finding("note", "memories-at-limit", { limit: aiMemoryLimit }));
  }
  for (const { id, content } of items) {
    if (await holdsSecret(content)) {
      findings.push(finding("fault", "memory-holds-secret", { id: firstCharacters(id, 8) }));
    }
  }
  const { segments } = await workspace.assembleContext();
  const omitted = segments.find(({ kind }) => kind === "memory")?.omitted ?? 0;
  if (omitted > 0) findings.push(finding("warning", "memories-over-budget", { count: omitted }));
  return findings;
}

async function checkWaiting(path: string): Promise<Finding[]> {
  try {
    const lines = ((await readText(path)) ?? "").split("\n").filter((line) => line.trim() !== "");
    const broken = lines.filter((line) => !isJsonObject(line)).length;
    return broken > 0 ? [finding("warning", "waiting-broken-lines", { path, count: broken })] : [];
  } catch (error) {
    return [finding("fault", "waiting-unreadable", { path, reason: faultName(error) })];
  }
}

async function checkSessions(folder: string): Promise<Finding[]> {
  const names = await readdir(folder).catch(() => []);
  const findings: Finding[] = [];
  for (const name of names.filter((one) => one.endsWith(".json") && !one.startsWith("."))) {
    const path = join(folder, name);
    const reading = await readJson(path);
    const isRecord =
      reading.state === "read" &&
      typeof (reading.value as { sessionId?: unknown } | null)?.sessionId === "string";
    if (!isRecord) findings.push(finding("warning", "session-unreadable", { path }));
  }
  return findings;
}

async function checkExtraction({ store }: MemoryWorkspace): Promise<Finding[]> {
  const state = await store.extraction.read().catch(() => undefined);
  const count = state?.contentFailures ?? 0;
  return count > 0 ? [finding("warning", "extraction-failing", { count })] : [];
}

async function checkMovedAside(home: string): Promise<Finding[]> {
  const folders = [home, join(home, "memory"), join(home, "chats")];
  const names = await Promise.all(
    folders.map(async (folder) => (await readdir(folder).catch(() => [])).map((name) => join(folder, name))),
  );
  return names
    .flat()
    .filter((path) => path.includes(".corrupt-"))
    .map((path) => finding("warning", "moved-aside", { path }));
}

function isJsonObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
