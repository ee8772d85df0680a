import type { Imports } from "./imports.js";

/** From the top to the bottom: a file knows its own folder and what stands in a lower row. */
const layers: readonly (readonly string[])[] = [
  ["index.ts"],
  ["middleware", "runnable", "cli", "panel", "memory/cross-session-memory"],
  // What both the middleware and an app without it take; what both the command and the page show.
  ["tools", "people"],
  ["workspace"],
  ["context", "selection"],
  ["prompt-assets", "memory"],
  ["files", "locales", "text", "messages"],
  ["log.ts", "errors.ts"],
  ["errors.ts"],
];

/** Only these beside `files/` know the disk: what is listed or read as it is, without our locks and atomic writes. */
const readsDisk = [
  /^files\//,
  /^prompt-assets\/(?:asset-folder|read-start)\.ts$/,
  /^memory\/json-(?:memory-store|session-files)\.ts$/,
  /^(?:cli|panel)\//,
];

/** `lcsm panel` starts the page: the one place where a door opens another. */
const opensPanel = "cli/commands/panel.ts";

/** The imports that break the rule of who may know whom, each in words. */
export function forbiddenImports(imports: Imports): string[] {
  const found: string[] = [];
  for (const [file, targets] of imports) {
    for (const target of targets) {
      const reason = imports.has(target) ? wrongLayer(file, target) : wrongPackage(file, target);
      if (reason !== undefined) found.push(`${file} imports ${target}: ${reason}`);
    }
  }
  return found;
}

function wrongLayer(file: string, target: string): string | undefined {
  const [from, to] = [areaOf(file), areaOf(target)];
  if (from === to || (file === opensPanel && to === "panel")) return undefined;
  return lowestRowOf(to) > highestRowOf(from) ? undefined : `${from} may not know ${to}`;
}

function wrongPackage(file: string, target: string): string | undefined {
  const isDoor = (name: string) => file.startsWith(`${name}/`);
  if (/^langchain(?:\/|$)/.test(target) && !isDoor("middleware"))
    return "only the middleware may load langchain";
  if (/^@langchain\/(?!core(?:\/|$))/.test(target))
    return "of LangChain's other packages only core is needed";
  if (/^(?:node:)?fs(?:\/|$)/.test(target) && !readsDisk.some((allowed) => allowed.test(file))) {
    return "only files/ knows the disk";
  }
  return undefined;
}

/** `CrossSessionMemory` is a door that lives in `memory/`, where its users look for it. */
function areaOf(file: string): string {
  if (file.startsWith("memory/cross-session-memory")) return "memory/cross-session-memory";
  return file.split("/")[0] ?? file;
}

function highestRowOf(area: string): number {
  const row = layers.findIndex((areas) => areas.includes(area));
  if (row < 0) throw new Error(`src/${area} has no place in the layers yet`);
  return row;
}

function lowestRowOf(area: string): number {
  return layers.findLastIndex((areas) => areas.includes(area));
}
