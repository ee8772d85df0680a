import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { outputOf } from "../support/output-of.js";
import { temporaryFolder } from "../support/temporary-folder.js";

test.each([
  ["agent.mjs", /tuesday> What is the release day[\s\S]*is Thursday[\s\S]*tuesday> Which package[\s\S]*pnpm/],
  ["streaming-agent.mjs", /tuesday> [\s\S]*conclusion first/],
  ["summarization.mjs", /\(segments: summary\)[\s\S]*tuesday> [\s\S]*\(segments: memory\)[\s\S]*7443/],
])("%s answers in the second thread what was said in the first", async (file, expected) => {
  const { output, errors, code } = await run(file);
  expect(errors).toBe("");
  expect(output).toMatch(expected);
  expect(code).toBe(0);
});

/** Runs an example as a user would, without a key. */
async function run(file: string) {
  const { OPENAI_API_KEY: _, ...env } = process.env;
  const path = fileURLToPath(new URL(`../../examples/${file}`, import.meta.url));
  const child = spawn(process.execPath, [path], { env: { ...env, TMPDIR: await temporaryFolder() } });
  return outputOf(child);
}
