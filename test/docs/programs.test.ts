import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
// biome-ignore lint/correctness/useImportExtensions: the examples are .mjs, so that they run as they are.
import { type StandInModel, startStandInModel } from "../../examples/stand-in-model/server.mjs";
import { MemoryWorkspace } from "../../src/index.js";
import { startPostgres } from "../postgres/postgres-server.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { asProgram } from "./docstring-example.js";
import { codeBlocks } from "./markdown.js";
import { isReference, readPages, root } from "./pages.js";
import { Sandbox, withoutTypes } from "./sandbox.js";

/** A block of code, and each place where it stands. */
interface Block {
  readonly language: string;
  readonly code: string;
  readonly places: string[];
}

const pages = await readPages();
const blocks = pages.flatMap((page) =>
  codeBlocks(page.text).map(({ language, code, line }) => ({
    language,
    code: isReference(page) && language === "ts" ? asProgram(code) : code,
    place: `${page.path}:${line}`,
  })),
);
const programs = distinct(["js", "ts"], withoutTypes);
const shells = distinct(["sh"], (code) => code);

let model: StandInModel;
let database: Awaited<ReturnType<typeof startPostgres>>;
let env: Readonly<Record<string, string>>;
const sandbox = new Sandbox();
beforeAll(async () => {
  [model, database] = await Promise.all([startStandInModel(), startPostgres(), sandbox.open()]);
  env = { OPENAI_API_KEY: "none", OPENAI_BASE_URL: model.baseURL, DATABASE_URL: database.url };
});
afterAll(() => Promise.all([model.close(), database.stop(), sandbox.close()]));

test("every block of code says what it is", () => {
  const known = ["js", "ts", "sh", "md", "json", "text"];
  expect(blocks.filter(({ language }) => !known.includes(language)).map(({ place }) => place)).toEqual([]);
});

describe("the programs of the documents", () => {
  test.concurrent.each(programs)("$places.0 runs as written", async ({ code }) => {
    const { status, errors, output } = await sandbox.run(code, env);
    expect(errors).toBe("");
    expect(status).toBe(0);
    expect(output).not.toContain("undefined");
  });

  test("are sound TypeScript with all settings strict", async () => {
    const named = new Map(
      programs.map(({ code, places: [place = ""] }) => [place.replace(/\W/g, "-"), code]),
    );
    expect(await sandbox.complaints(named)).toEqual([]);
  }, 180_000);
});

describe("the commands of the documents", () => {
  test.concurrent.each(shells)("$places.0 runs as written", async ({ code }) => {
    const own = code.split("\n").filter((line) => line !== "" && !isOfCheckout(line));
    if (own.length === 0) return;
    const { status, errors } = await sandbox.shell(own.join("\n"), env);
    expect(errors).toBe("");
    expect(status).toBe(0);
  });

  test("npm's own are scripts of this package that a clean checkout is checked by", async () => {
    const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const checks = `${await readFile(join(root, ".ci", "run"), "utf8")}${scripts.test}`;
    const lines = shells.flatMap(({ code }) => code.split("\n").filter(isOfCheckout));
    const named = lines.flatMap((line) =>
      [...line.matchAll(/\bnpm (run [\w:-]+|test|ci)\b/g)].map(([, it]) => it),
    );
    expect(named.length).toBeGreaterThan(3);
    for (const command of new Set(named)) {
      const script = command?.replace(/^run /, "") ?? "";
      if (script !== "ci") expect(scripts[script], command).toBeDefined();
      expect(checks.replaceAll("run --silent", "run"), command).toContain(`npm ${command}`);
    }
  });
});

test("each script that the prose or a command names is there", async () => {
  const named = pages.flatMap(({ text }) => [
    ...text.matchAll(/\bnode ((?:bench|examples|docs)\/[\w./-]+)/g),
  ]);
  expect(named.length).toBeGreaterThan(3);
  for (const [, path = ""] of named) await access(join(root, path));
});

describe("the files in the documents", () => {
  const files = distinct(["md", "json"], (code) => code);

  test.each(files)("$places.0 is read as it says", async ({ language, code }) => {
    const dir = await temporaryFolder();
    const workspace = new MemoryWorkspace({ dir, logger: { warn: fail, error: fail } });
    if (language === "md") {
      const [, name] = /^name: (.*)$/m.exec(code) ?? [];
      await writeFile(join(await workspace.skills.directory(), "skill.md"), code);
      expect(await workspace.skills.list()).toMatchObject([{ name, truncated: false }]);
      return;
    }
    const value: unknown = JSON.parse(code);
    await mkdir(join(dir, "memory"));
    if (Array.isArray(value)) {
      await writeFile(join(dir, "memory", "memory.json"), code);
      expect(await workspace.memories.list()).toEqual(value);
    } else {
      await writeFile(join(dir, "settings.json"), code);
      expect(await workspace.settings.get()).toEqual(value);
    }
  });
});

/** Blocks that are the same (by `same`) run once. */
function distinct(languages: readonly string[], same: (code: string) => string): Block[] {
  const found = new Map<string, Block>();
  for (const { language, code, place } of blocks) {
    if (!languages.includes(language)) continue;
    const key = same(code);
    const block = found.get(key) ?? { language, code, places: [] };
    block.places.push(place);
    found.set(key, block);
  }
  return [...found.values()];
}

/** What would install, build or measure in the middle of the tests. */
function isOfCheckout(line: string): boolean {
  return /^npm |\bnode bench\//.test(line);
}

function fail(message: string): never {
  throw new Error(message);
}
