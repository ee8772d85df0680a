import { join } from "node:path";
import { expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { learnedItem } from "../extraction/learned.js";
import { githubToken, openAiKey } from "../secrets/credentials.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { useCli } from "./cli-process.js";

const cli = useCli();
const refusal =
  "error: This looks like a credential and was not saved: memories are sent to the model provider. " +
  "--allow-secret stores it all the same.\n";

async function openFolder() {
  const cwd = await temporaryFolder();
  const workspace = new MemoryWorkspace({ dir: join(cwd, "ai"), logger: { warn() {}, error() {} } });
  const run = (...args: string[]) => cli.run(args, { cwd });
  const contents = async () => (await workspace.memories.list()).map(({ content }) => content);
  return { cwd, workspace, run, contents };
}

it("add and edit refuse what looks like a credential, name the option, and store it with --allow-secret", async () => {
  const { run, contents, workspace } = await openFolder();
  expect(await run("add", "the key is", openAiKey)).toEqual({ status: 1, stdout: "", stderr: refusal });
  expect(await contents()).toEqual([]);
  expect((await run("add", "the key is", openAiKey, "--allow-secret")).status).toBe(0);
  expect(await contents()).toEqual([`the key is ${openAiKey}`]);
  const id = (await workspace.memories.list())[0]?.id ?? "";
  const edited = ["edit", id, `the token is ${githubToken}`];
  expect((await run(...edited)).stderr).toBe(refusal);
  expect(await contents()).toEqual([`the key is ${openAiKey}`]);
  expect((await run(...edited, "--allow-secret")).status).toBe(0);
  expect(await contents()).toEqual([`the token is ${githubToken}`]);
});

it("candidates accept does the same with other words, and standard input is no way around it", async () => {
  const { run, contents, workspace, cwd } = await openFolder();
  await workspace.store.candidates.change(() => ({
    entries: [{ ...learnedItem(1), id: "c-1", content: "has a key" }],
    result: undefined,
  }));
  const words = ["candidates", "accept", "c-1", `has the key ${openAiKey}`];
  expect((await run(...words)).stderr).toBe(refusal);
  expect([await contents(), (await workspace.candidates.list()).length]).toEqual([[], 1]);
  expect((await run(...words, "--allow-secret")).status).toBe(0);
  expect(await contents()).toEqual([`has the key ${openAiKey}`]);
  const piped = await cli.run(["add", "-"], { cwd, input: openAiKey });
  expect([piped.status, piped.stderr]).toEqual([1, refusal]);
});

it("says it in Chinese, in JSON with the code, and nowhere with the credential itself", async () => {
  const { run } = await openFolder();
  const chinese = await run("add", openAiKey, "--locale", "zh-CN");
  expect(chinese.stderr).toContain("如仍要保存，请加 --allow-secret。");
  const json = await run("add", openAiKey, "--json");
  expect([json.status, JSON.parse(json.stdout).error.code]).toEqual([1, "ERR_MEMORY_SECRET"]);
  for (const { stdout, stderr } of [chinese, json]) expect(stdout + stderr).not.toContain(openAiKey);
});
