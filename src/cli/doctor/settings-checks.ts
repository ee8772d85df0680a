import { join } from "node:path";
import { memoryLimitRange } from "../../memory/memory-settings.js";
import type { MemoryWorkspace } from "../../workspace/index.js";
import { type Finding, finding } from "./finding.js";
import { readJson } from "./read-json.js";

const switches = ["aiMemoryEnabled", "aiRulesEnabled", "aiSkillsEnabled"] as const;
const lists = { aiRulesDisabled: "rules", aiSkillsDisabled: "skills" } as const;

/** What can be wrong with `settings.json`, of the app and of a user. @param homes Their folders, the app's first. */
export async function checkSettings(app: MemoryWorkspace, homes: readonly string[]): Promise<Finding[]> {
  return (await Promise.all(homes.map((home) => checkFile(app, join(home, "settings.json"))))).flat();
}

async function checkFile(app: MemoryWorkspace, path: string): Promise<Finding[]> {
  const reading = await readJson(path);
  if (reading.state === "missing") return [];
  if (reading.state === "unreadable") {
    return [finding("fault", "settings-unreadable", { path, reason: reading.reason })];
  }
  const isObject =
    reading.state === "read" &&
    typeof reading.value === "object" &&
    reading.value !== null &&
    !Array.isArray(reading.value);
  if (!isObject) return [finding("fault", "settings-no-object", { path })];
  const settings = reading.value as Readonly<Record<string, unknown>>;
  return [...checkTypes(settings), ...checkLimit(settings), ...(await checkNames(app, settings))];
}

function checkTypes(settings: Readonly<Record<string, unknown>>): Finding[] {
  const wrong = [
    ...switches.filter((name) => !["boolean", "undefined"].includes(typeof settings[name])),
    ...Object.keys(lists).filter(
      (name) => settings[name] !== undefined && namesIn(settings[name]) === undefined,
    ),
  ];
  return wrong.map((name) => finding("fault", "setting-wrong-type", { name }));
}

function checkLimit({ aiMemoryLimit: limit }: Readonly<Record<string, unknown>>): Finding[] {
  const name = "aiMemoryLimit";
  if (limit === undefined) return [];
  if (typeof limit !== "number") return [finding("fault", "setting-wrong-type", { name })];
  const { min, max } = memoryLimitRange;
  const used = Math.round(Math.min(max, Math.max(min, limit)));
  return used === limit ? [] : [finding("fault", "setting-out-of-range", { name, used })];
}

async function checkNames(
  app: MemoryWorkspace,
  settings: Readonly<Record<string, unknown>>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, kind] of Object.entries(lists)) {
    const present = new Set((await app[kind].list()).map(({ filename }) => filename));
    for (const filename of namesIn(settings[name]) ?? []) {
      if (!present.has(filename)) findings.push(finding("note", "setting-names-no-file", { name, filename }));
    }
  }
  return findings;
}

function namesIn(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined;
}
