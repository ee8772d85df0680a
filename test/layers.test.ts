import { expect, test } from "vitest";
import { importsIn, importsOfSource, reachedFrom } from "./support/imports.js";
import { forbiddenImports } from "./support/layers.js";

const imports = importsOfSource();

test("doors know the workspace, the workspace knows memory, prompt assets and context, and nothing knows a door", () => {
  expect(imports.size).toBeGreaterThan(50);
  expect(forbiddenImports(imports)).toEqual([]);
});

test.each([
  [
    "a memory that knows the workspace",
    "memory/merge.ts",
    'import { x } from "../workspace/index.js";',
    "memory may not know workspace",
  ],
  [
    "a type alone",
    "files/lock.ts",
    'import type { X } from "../memory/memory-item.js";',
    "files may not know memory",
  ],
  [
    "a re-export",
    "workspace/index.ts",
    'export * from "../runnable/index.js";',
    "workspace may not know runnable",
  ],
  [
    "an import over several lines",
    "text/cut.ts",
    'import {\n  x,\n  y,\n} from "../locales/index.js";',
    "text may not know locales",
  ],
  [
    "a dynamic import",
    "memory/merge.ts",
    'const { x } = await import("../context/index.js");',
    "memory may not know context",
  ],
  [
    "an import type",
    "messages/reasoning.ts",
    'type X = import("../memory/merge.js").MergeInput;',
    "messages may not know memory",
  ],
  [
    "one door in another",
    "middleware/turns.ts",
    'import "../runnable/index.js";',
    "middleware may not know runnable",
  ],
  [
    "the door that lives in memory",
    "memory/recorder.ts",
    'import "./cross-session-memory.js";',
    "memory may not know memory/cross-session-memory",
  ],
  [
    "langchain outside of the middleware",
    "workspace/assets.ts",
    'import { tool } from "langchain";',
    "only the middleware",
  ],
  ["LangGraph", "middleware/turns.ts", 'import "@langchain/langgraph/web";', "only core is needed"],
  [
    "the disk",
    "context/assemble.ts",
    'import { readFile } from "node:fs/promises";',
    "only files/ knows the disk",
  ],
  ["the disk by require", "memory/merge.ts", 'const fs = require("fs");', "only files/ knows the disk"],
])("catches %s", (_, file, source, reason) => {
  const changed = new Map(imports).set(file, importsIn(source, file));
  const found = forbiddenImports(changed).filter((line) => line.startsWith(`${file} `));
  expect(found).toEqual([expect.stringContaining(reason)]);
});

test("what stands in a comment or a string is no import", () => {
  expect(
    importsIn('// import "fs";\n/* import "fs"; */ const text = \'import "fs"\';', "text/cut.ts"),
  ).toEqual([]);
});

test("the root entry reaches nothing of langchain or LangGraph, whatever is installed", () => {
  const reached = [...reachedFrom("index.ts", imports)];
  expect(reached).toContain("files/lock-folder.ts");
  expect(reached).toContain("@langchain/core/memory");
  expect(reached.filter((name) => /^langchain|^@langchain\/(?!core)/.test(name))).toEqual([]);
});
