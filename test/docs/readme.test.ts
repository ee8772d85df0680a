import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
// biome-ignore lint/correctness/useImportExtensions: the examples are .mjs, so that they run as they are.
import { type StandInModel, startStandInModel } from "../../examples/stand-in-model/server.mjs";
import { codeBlocks } from "./markdown.js";
import { root } from "./pages.js";
import { Sandbox } from "./sandbox.js";

let server: StandInModel;
const sandbox = new Sandbox();
beforeAll(async () => {
  server = await startStandInModel();
  await sandbox.open();
});
afterAll(() => Promise.all([server.close(), sandbox.close()]));

describe.each(["README.md", "README.zh-CN.md"])("%s", async (path) => {
  const text = await readFile(join(root, path), "utf8");
  const blocks = codeBlocks(text);
  const first = blocks.find(({ language }) => language === "js");

  test("begins with two commands: to see it and to test it", () => {
    const shell = blocks.filter(({ language }) => language === "sh").map(({ code }) => code.trim());
    expect(shell.slice(0, 2)).toEqual(["npm ci && npm run demo", "npm ci && npm test"]);
  });

  test("has its first program at most two screens down", () => {
    expect(first?.line).toBeLessThan(60);
  });

  test("says on its first screen that a workspace is one person's", () => {
    expect(text.split("\n").slice(0, 24).join("\n")).toContain("forUser");
  });

  test("has a first program that knows in its second session what was said in its first", async () => {
    const env = { OPENAI_API_KEY: "none", OPENAI_BASE_URL: server.baseURL };
    const { output } = await sandbox.run(first?.code ?? "", env);
    const [, second = ""] = output.trim().split("\n");
    expect(second).toContain("pnpm");
  });
});
