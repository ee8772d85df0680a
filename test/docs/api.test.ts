import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { root } from "./pages.js";

test("the API reference is what `npm run docs:api` makes of the docstrings now", async () => {
  const fresh = await temporaryFolder();
  const typedoc = join(root, "node_modules", "typedoc", "bin", "typedoc");
  await promisify(execFile)(process.execPath, [typedoc, "--out", fresh], { cwd: root });
  const [committed, made] = await Promise.all([pagesIn(join(root, "docs", "api")), pagesIn(fresh)]);
  const names = new Set([...Object.keys(committed), ...Object.keys(made)]);
  expect([...names].filter((name) => committed[name] !== made[name])).toEqual([]);
}, 180_000);

async function pagesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return Object.fromEntries(names.map((name, at) => [name, texts[at] ?? ""]));
}
