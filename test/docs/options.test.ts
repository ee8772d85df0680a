import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { RunnableLambda } from "@langchain/core/runnables";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { CrossSessionMemory, MemoryWorkspace, withCrossSessionMemory } from "../../src/index.js";
import { crossSessionMemoryMiddleware } from "../../src/middleware/index.js";
import { workspaceOptionNames } from "../../src/workspace/index.js";
import { tables } from "./markdown.js";
import { root } from "./pages.js";

const ofWorkspace = await interfaceIn("src/workspace/options.ts", "WorkspaceOptions");
const ofMemory = await interfaceIn("src/memory/cross-session-memory-options.ts", "CrossSessionMemoryOptions");
const ofRunnable = await interfaceIn("src/runnable/options.ts", "WithCrossSessionMemoryOptions");
const ofMiddleware = await interfaceIn("src/middleware/options.ts", "CrossSessionMemoryMiddlewareOptions");

describe.each(["docs/options.md", "docs/options.zh-CN.md"])("%s", async (path) => {
  const text = await readFile(join(root, path), "utf8");
  const rows = tableWith(text, "`dir`", 0).map(([option = "", defaultCell = "", rangeCell = ""]) => ({
    option: named(option),
    defaultCell,
    rangeCell,
  }));

  test("has each option of the workspace's type, in its order, and no other", () => {
    expect(rows.map(({ option }) => option)).toEqual([...ofWorkspace.keys()]);
    expect([...workspaceOptionNames]).toEqual([...ofWorkspace.keys()]);
  });

  test("has the defaults of the code, as the type's docstrings have", () => {
    const { options } = new MemoryWorkspace().parts;
    for (const { option, defaultCell } of rows) {
      // A path that is made absolute, an object, another class.
      if (["dir", "logger", "store"].includes(option)) continue;
      const value: unknown = options[option as keyof typeof options];
      const stated = /^`(.+)`$/.exec(defaultCell)?.[1];
      expect(stated === undefined ? undefined : JSON.parse(stated), option).toEqual(value);
      const [documented] = ofWorkspace.get(option)?.replaceAll("_", "").split(": ") ?? [];
      if (value !== undefined) expect(documented, option).toBe(JSON.stringify(value));
    }
  });

  test("has the ranges of the code", () => {
    let checked = 0;
    for (const { option, rangeCell } of rows) {
      for (const wrong of beyond(rangeCell)) {
        expect(() => new MemoryWorkspace({ [option]: wrong }), `${option} ${wrong}`).toThrow();
        checked++;
      }
      for (const right of within(rangeCell)) {
        const chunk = option === "extractionTriggerChars" ? { extractionChunkChars: 1_000_000 } : {};
        new MemoryWorkspace({ ...chunk, [option]: right });
      }
    }
    expect(checked).toBeGreaterThan(20);
  });

  test("has each option of the doors, and no other", () => {
    const listed = tableWith(text, "`returnMessages`", 1).map(([, option = ""]) => named(option));
    const typed = [ofMemory, ofRunnable, ofMiddleware].flatMap((options) => [...options.keys()]);
    expect(new Set(listed)).toEqual(new Set(typed));
    // What a door takes beside the workspace's own options.
    const others = listed.filter((option) => !ofWorkspace.has(option));
    expect(new Set(others)).toEqual(new Set(knownToDoors()));
    expect(listed.length).toBe(new Set(listed).size);
  });

  test.each([
    ["JsonMemoryStore", "src/memory/json-memory-store.ts", "JsonMemoryStoreOptions"],
    ["LangGraphMemoryStore", "src/memory/langgraph-memory-store.ts", "LangGraphMemoryStoreOptions"],
  ])("has each option of %s", async (store, file, name) => {
    const listed = tableWith(text, "`namespace`", 1).filter(([cell]) => cell === `\`${store}\``);
    expect(listed.map(([, option = ""]) => named(option))).toEqual([
      ...(await interfaceIn(file, name)).keys(),
    ]);
  });

  test("has the parts of each option that is an object", async () => {
    const summary = await interfaceIn("src/memory/rolling-summary.ts", "RollingSummaryOptions");
    expect(tableWith(text, "`keepMessages`", 0).map(([part = ""]) => named(part))).toEqual([
      ...summary.keys(),
    ]);
    for (const { option, rangeCell } of rows) {
      const [, parts] = /^`\{ (.+) \}`$/.exec(rangeCell) ?? [];
      if (parts === undefined || option === "logger") continue;
      for (const part of parts.split(", ")) expect(tableWith(text, `\`${part}\``, 0), part).not.toEqual([]);
    }
  });
});

test.each(["README.md", "README.zh-CN.md"])("%s names every option", async (path) => {
  const text = await readFile(join(root, path), "utf8");
  const all = [ofWorkspace, ofMemory, ofRunnable, ofMiddleware].flatMap((options) => [...options.keys()]);
  expect(all.filter((option) => !text.includes(`\`${option}\``))).toEqual([]);
});

test.each(["docs/panel.md", "docs/panel.zh-CN.md"])("%s has each option of the page", async (path) => {
  const text = await readFile(join(root, path), "utf8");
  const options = await interfaceIn("src/panel/options.ts", "PanelOptions");
  const listed = tableWith(text, "`basePath`", 0).map(([option = ""]) => named(option).replace(/\(.*/, ""));
  expect(listed).toEqual([...options.keys()]);
});

/** The members of an interface in a source file, without inherited ones, each with its `@default`. */
async function interfaceIn(path: string, name: string): Promise<Map<string, string | undefined>> {
  const source = ts.createSourceFile(
    path,
    await readFile(join(root, path), "utf8"),
    ts.ScriptTarget.ES2022,
    true,
  );
  const declaration = source.statements
    .filter(ts.isInterfaceDeclaration)
    .find((one) => one.name.text === name);
  if (declaration === undefined) throw new Error(`${path} has no interface ${name}`);
  return new Map(
    declaration.members.map((member) => {
      const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === "default");
      return [member.name?.getText() ?? "", ts.getTextOfJSDocComment(tag?.comment)];
    }),
  );
}

/** The table in which a row has this cell in this column. */
function tableWith(text: string, cell: string, column: number): string[][] {
  return (
    tables(text).find((rows) => rows.some((row) => row[column]?.startsWith(cell.replace(/`$/, "")))) ?? []
  );
}

function named(cell: string): string {
  return cell.replaceAll("`", "");
}

function bounds(rangeCell: string): number[] {
  return /^[\d ]+\D+\d+$/.test(rangeCell) ? (rangeCell.match(/\d+/g) ?? []).map(Number) : [];
}

function beyond(rangeCell: string): number[] {
  const [min, max] = bounds(rangeCell);
  return min === undefined || max === undefined ? [] : [min - 1, max + 1];
}

function within(rangeCell: string): unknown[] {
  const choices = rangeCell.split(/[,、]\s*/).map((choice) => /^`(.+)`$/.exec(choice)?.[1]);
  if (choices.every((choice) => choice !== undefined && /^(?:"|true|false)/.test(choice))) {
    return choices.map((choice) => JSON.parse(choice ?? ""));
  }
  return bounds(rangeCell);
}

/** Every door names its options where it is given one that it does not know. */
function knownToDoors(): string[] {
  const unknown: object = { noSuchOption: 1 };
  const runnable = RunnableLambda.from(() => "");
  const doors = [
    () => new CrossSessionMemory(unknown),
    () => withCrossSessionMemory(runnable, unknown),
    () => crossSessionMemoryMiddleware(unknown),
  ];
  const known = doors.flatMap((open) => {
    try {
      open();
    } catch (error) {
      const [, list] = /known are (.*)$/.exec((error as Error).message) ?? [];
      if (list !== undefined) return list.split(", ");
    }
    throw new Error("a door did not say which options it knows");
  });
  return known.filter((option) => !(workspaceOptionNames as readonly string[]).includes(option));
}
