import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { RunnableLambda } from "@langchain/core/runnables";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
// biome-ignore lint/correctness/useImportExtensions: the examples are .mjs, so that they run as they are.
import { type StandInModel, startStandInModel } from "../../examples/stand-in-model/server.mjs";
import { CrossSessionMemory, MemoryWorkspace, withCrossSessionMemory } from "../../src/index.js";
import { crossSessionMemoryMiddleware } from "../../src/middleware/index.js";
import { workspaceOptionNames } from "../../src/workspace/index.js";
import { codeBlocks, outline, tables } from "./markdown.js";
import { Sandbox, withoutTypes } from "./sandbox.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const names = ["README.md", "README.zh-CN.md"] as const;
const texts = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, await readFile(join(root, name), "utf8")])),
) as Readonly<Record<(typeof names)[number], string>>;
const [english, chinese] = [texts["README.md"], texts["README.zh-CN.md"]];
const programs = codeBlocks(english).filter(({ language }) => ["js", "ts"].includes(language));

let server: StandInModel;
const sandbox = new Sandbox();
beforeAll(async () => {
  server = await startStandInModel();
  await sandbox.open();
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
});

describe("the README's programs", () => {
  test.concurrent.each(programs)("run as written (line $line)", async ({ code }) => {
    const { status, errors, output } = await run(code);
    expect(errors).toBe("");
    expect(status).toBe(0);
    expect(output).not.toContain("undefined");
  });

  test("the first one knows in its second session what was said in its first", async () => {
    const [first] = programs;
    const { output } = await run(first?.code ?? "");
    const [, second = ""] = output.trim().split("\n");
    expect(second).toContain("pnpm");
  });

  test("the first one stands at most two screens down", () => {
    expect(programs[0]?.line).toBeLessThan(60);
  });

  test("are sound TypeScript with all settings strict", async () => {
    const named = new Map(programs.map(({ code, line }) => [`line-${line}`, code]));
    expect(await sandbox.complaints(named)).toEqual([]);
  }, 180_000);

  test("are the same in Chinese, comments aside", () => {
    const inChinese = codeBlocks(chinese).filter(({ language }) => ["js", "ts"].includes(language));
    expect(inChinese.map(({ code }) => withoutTypes(code))).toEqual(
      programs.map(({ code }) => withoutTypes(code)),
    );
  });
});

describe.each(names)("%s", (name) => {
  const text = texts[name];

  test("names only npm scripts that there are", async () => {
    const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const shell = codeBlocks(text)
      .filter(({ language }) => language === "sh")
      .map(({ code }) => code)
      .join("\n");
    const inText = [...`${shell}${text}`.matchAll(/\bnpm (?:run (?:-s |--silent )?([\w:-]+)|(test)\b)/g)];
    const named = new Set(inText.map(([, script, testScript]) => script ?? testScript));
    expect([...named].filter((script) => scripts[script ?? ""] === undefined)).toEqual([]);
    for (const command of ["npm ci && npm run demo", "npm ci && npm test"]) expect(shell).toContain(command);
  });

  test("links only to files that there are, and to its own headings", async () => {
    for (const [, target = ""] of text.matchAll(/\]\(([^)#\s]+)\)/g)) {
      if (!target.startsWith("http")) await access(join(root, target));
    }
    const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, "")
        .replaceAll(" ", "-"),
    );
    for (const [, anchor] of text.matchAll(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(anchor);
  });

  test("lists each option of the workspace, with its default and its range", () => {
    const { parts } = new MemoryWorkspace();
    const table = optionTable(text);
    expect(table.map(({ option }) => option)).toEqual(workspaceOptionNames);
    for (const { option, defaultCell, rangeCell } of table) {
      const value: unknown = parts.options[option as keyof typeof parts.options];
      const stated = /^`(.+)`$/.exec(defaultCell)?.[1];
      if (option === "dir" || option === "logger") continue;
      expect(stated === undefined ? undefined : JSON.parse(stated), option).toEqual(
        option === "store" ? undefined : value,
      );
      for (const wrong of beyond(rangeCell)) expect(() => new MemoryWorkspace({ [option]: wrong })).toThrow();
      for (const right of within(rangeCell)) {
        const chunk = option === "extractionTriggerChars" ? { extractionChunkChars: 1_000_000 } : {};
        new MemoryWorkspace({ ...chunk, [option]: right });
      }
    }
  });

  test("lists each option of the doors", () => {
    const listed = tables(text)
      .find((table) => table.some(([, option]) => option === "`returnMessages`"))
      ?.map(([, option = ""]) => option.replaceAll("`", ""));
    expect(new Set(listed)).toEqual(new Set(doorOptions()));
    expect(listed?.length).toBe(new Set(listed).size);
  });
});

test("the two are twins: the same parts in the same order", () => {
  expect(outline(chinese)).toEqual(outline(english));
});

function run(code: string) {
  return sandbox.run(code, { OPENAI_API_KEY: "none", OPENAI_BASE_URL: server.baseURL });
}

function optionTable(text: string) {
  const table = tables(text).find((rows) => rows[0]?.[0] === "`dir`") ?? [];
  return table.map(([option = "", defaultCell = "", rangeCell = ""]) => ({
    option: option.replaceAll("`", ""),
    defaultCell,
    rangeCell,
  }));
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
function doorOptions(): string[] {
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
