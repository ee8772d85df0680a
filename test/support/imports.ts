import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../../src/", import.meta.url));

/** What each source file imports: files of ours by their path below `src/`, everything else by its name. */
export type Imports = ReadonlyMap<string, readonly string[]>;

export function importsOfSource(): Imports {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
    .sort();
  return new Map(files.map((file) => [file, importsIn(readFileSync(root + file, "utf8"), file)]));
}

/** Static and dynamic imports, re-exports, `require` and import types, found by TypeScript's own scanner. */
export function importsIn(source: string, file: string): string[] {
  const { importedFiles } = ts.preProcessFile(source, true, true);
  return importedFiles.map(({ fileName }) =>
    fileName.startsWith(".") ? posix.join(posix.dirname(file), fileName).replace(/\.js$/, ".ts") : fileName,
  );
}

/** All that is loaded with a file, at once or later. */
export function reachedFrom(entry: string, imports: Imports): Set<string> {
  const reached = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    open.push(...(imports.get(file) ?? []));
  }
  return reached;
}
