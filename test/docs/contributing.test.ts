import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./pages.js";

const text = await readFile(join(root, "CONTRIBUTING.md"), "utf8");

test("CONTRIBUTING begins with the one command that leads to a green test", () => {
  const [, first] = /^```sh\n(.*)\n```$/m.exec(text) ?? [];
  expect(first).toBe("npm ci && npm test");
});

test("CONTRIBUTING says what each folder of the source is for, and names none that is not there", async () => {
  const entries = await readdir(join(root, "src"), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const named = [...text.matchAll(/`src\/([\w-]+)\/`/g)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(folders));
});

test("CONTRIBUTING names only scripts that there are", async () => {
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script = ""]) => script);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
});
