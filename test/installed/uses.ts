import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
// biome-ignore lint/correctness/useImportExtensions: the examples are .mjs, so that they run as they are.
import { startStandInModel } from "../../examples/stand-in-model/server.mjs";
import type { App } from "../package/app.js";
import { command } from "../package/command.js";

const programs = fileURLToPath(new URL("./app/", import.meta.url));

/** What an app needs beside ours for all uses. */
export const neededByUses = ["langchain", "@langchain/core", "@langchain/langgraph", "@langchain/openai"];

/** Puts the programs of `app/` into an app. */
export async function addUses(app: App): Promise<void> {
  await cp(programs, app.directory, { recursive: true });
}

/** Runs all uses in an app, by `import` or by `require`; none may fail and nothing may be printed beside their names. */
export async function expectUses(
  app: App,
  by: "import" | "require",
  node: string = process.execPath,
): Promise<void> {
  const { uses } = (await import(pathToFileURL(join(programs, "uses.mjs")).href)) as { uses: object };
  const model = await startStandInModel();
  try {
    const file = by === "import" ? "by-import.mjs" : "by-require.cjs";
    const printed = await command(app.directory, node, [file], { OPENAI_BASE_URL: model.baseURL });
    assert.deepEqual(printed.trim().split("\n"), Object.keys(uses));
  } finally {
    await model.close();
  }
}
