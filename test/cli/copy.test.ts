import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { useCli } from "./cli-process.js";

const cli = useCli();

/** The least of a LangGraph base store, in a file, as a database keeps what a process leaves. */
const storeModule = `
import { existsSync, readFileSync, writeFileSync } from "node:fs";
const file = new URL("store.json", import.meta.url);
const items = new Map(existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : []);
const keyOf = (namespace, key) => JSON.stringify([...namespace, key]);
const save = () => writeFileSync(file, JSON.stringify([...items]));
export default Promise.resolve({
  async get(namespace, key) { return items.get(keyOf(namespace, key)) ?? null; },
  async put(namespace, key, value) { items.set(keyOf(namespace, key), { namespace, key, value }); save(); },
  async delete(namespace, key) { items.delete(keyOf(namespace, key)); save(); },
  async search(prefix, { limit = 10, offset = 0, filter = {} } = {}) {
    return [...items.values()]
      .filter(({ namespace }) => prefix.every((label, index) => namespace[index] === label))
      .filter(({ value }) => Object.entries(filter).every(([name, { $gte, $lte }]) => value[name] >= $gte && value[name] <= $lte))
      .slice(offset, offset + limit);
  },
});
`;

async function filledFolder() {
  const cwd = await temporaryFolder();
  const quiet = { warn() {}, error() {} };
  const open = (dir: string) =>
    new MemoryWorkspace({ dir: join(cwd, dir), logger: quiet, model: new ScriptedModel() });
  const workspace = open("ai");
  await workspace.memories.add("The user lives in Lyon.");
  await workspace.recordTurn("s", [
    ["human", "I drink tea."],
    ["ai", "Noted."],
  ]);
  await workspace.forUser("ada").memories.add("Ada plays the viola.");
  await workspace.forUser("bert").memories.add("Bert rows.");
  await workspace.idle();
  return { cwd, open, run: (...args: string[]) => cli.run(args, { cwd }) };
}

const contents = async (workspace: MemoryWorkspace) =>
  (await workspace.memories.list()).map(({ content }) => content);

it("copies a folder to another with progress and counts; run again it doubles nothing", async () => {
  const { open, run } = await filledFolder();
  const { status, stdout } = await run("copy", "./other");
  expect(status).toBe(0);
  expect(stdout).toContain("memories 1/1\n");
  expect(stdout).toContain("waiting 2/2\n");
  expect(stdout).toMatch(/1 memories, 2 waiting messages, .* were copied; the source is as it was\.\n$/u);
  expect(await contents(open("other"))).toEqual(["The user lives in Lyon."]);
  expect(await open("other").waiting.count()).toMatchObject({ messages: 2 });
  expect(await contents(open("other").forUser("ada"))).toEqual([]);
  const again = JSON.parse((await run("copy", "./other", "--json")).stdout);
  expect(again).toMatchObject({ memories: 0, waiting: 0 });
  expect(await contents(open("ai"))).toEqual(["The user lives in Lyon."]);
});

it("brings the users whose ids a file has, or the one of --user", async () => {
  const { cwd, open, run } = await filledFolder();
  await writeFile(join(cwd, "users.txt"), "ada\n\nbert\n");
  expect(JSON.parse((await run("copy", "./all", "--users", "users.txt", "--json")).stdout)).toMatchObject({
    memories: 3,
  });
  expect(await contents(open("all").forUser("bert"))).toEqual(["Bert rows."]);
  await run("copy", "./one", "--user", "ada");
  expect(await contents(open("one").forUser("ada"))).toEqual(["Ada plays the viola."]);
  expect(await contents(open("one"))).toEqual([]);
});

it("copies into a store that a module exports, and back", async () => {
  const { cwd, open, run } = await filledFolder();
  await writeFile(join(cwd, "store.mjs"), storeModule);
  expect((await run("copy", "./store.mjs")).status).toBe(0);
  expect((await run("copy", "./back", "--from", "./store.mjs")).status).toBe(0);
  expect(await contents(open("back"))).toEqual(["The user lives in Lyon."]);
  expect(await open("back").waiting.count()).toMatchObject({ messages: 2 });
});

it("says what is no home and no list of users, and nothing of what a module threw", async () => {
  const { cwd, run } = await filledFolder();
  await writeFile(join(cwd, "broken.mjs"), 'throw new Error("postgres://me:PASSWORD@host");');
  await writeFile(join(cwd, "empty.mjs"), "export default {};");
  for (const home of ["./broken.mjs", "./empty.mjs", "./missing.mjs"]) {
    const { status, stderr } = await run("copy", home);
    expect([status, stderr]).toEqual([2, `error: ${home} exports no store as default.\n`]);
  }
  const { status, stderr } = await run("copy", "./other", "--users", "none.txt");
  expect([status, stderr]).toEqual([2, "error: The file of users none.txt can't be read.\n"]);
});
