import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { learnedItem, put } from "../extraction/learned.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { useCli } from "./cli-process.js";

const cli = useCli();

async function openFolder() {
  const cwd = await temporaryFolder();
  const workspace = new MemoryWorkspace({ dir: join(cwd, "ai"), logger: { warn() {}, error() {} } });
  const run = (...args: string[]) => cli.run(args, { cwd });
  const json = async (...args: string[]) => {
    const { status, stdout } = await run(...args, "--json");
    return { status, value: JSON.parse(stdout) };
  };
  const propose = (...contents: string[]) =>
    workspace.store.candidates.change(({ entries }) => ({
      entries: [
        ...entries,
        ...contents.map((content, index) => ({
          ...learnedItem(100 + index),
          id: `c-${index}`,
          content,
          ...(index === 0 && { replaces: ["id-1", "id-2"] }),
        })),
      ],
      result: undefined,
    }));
  return { cwd, workspace, run, json, propose };
}

it("candidates are listed with what they would replace, accepted, also in other words, and rejected", async () => {
  const { cwd, workspace, run, json, propose } = await openFolder();
  expect((await run("candidates")).stdout).toBe("Nothing waits for a decision.\n");
  await put(workspace, learnedItem(1), learnedItem(2));
  await workspace.memories.setPinned("id-2", true);
  await propose("lives in Lyon", "likes tea", "uses zsh");
  const listed = (await run("candidates", "list")).stdout;
  expect(listed).toMatch(/c-2 .* s0 +uses zsh\nc-1 .*\nc-0 .*lives in Lyon \(replaces: fact 1\)\n3 in all/u);
  expect((await json("candidates")).value.at(-1)).toMatchObject({
    id: "c-0",
    wouldReplace: [{ id: "id-1", content: "fact 1" }],
  });
  expect((await run("candidates", "accept", "c-0")).stdout).toBe("Remembered (c-0).\n");
  expect((await run("candidates", "accept", "c-1", "likes", "green", "tea")).status).toBe(0);
  expect((await json("candidates", "reject", "c-2")).value).toEqual({ rejected: 1 });
  expect((await workspace.memories.list()).map(({ content }) => content)).toEqual([
    "fact 2",
    "lives in Lyon",
    "likes green tea",
  ]);
  expect(await workspace.candidates.list()).toEqual([]);
  await propose("from a pipe");
  const piped = await cli.run(["candidates", "accept", "c-0", "-"], { cwd, input: "typed\n" });
  expect(piped.status).toBe(0);
  const missing = await json("candidates", "reject", "c-9");
  expect([missing.status, missing.value.error.code]).toEqual([1, "ERR_CANDIDATE_NOT_FOUND"]);
  expect((await json("candidates", "accept", "c-9")).value.error.code).toBe("ERR_CANDIDATE_NOT_FOUND");
});

it("the history is listed with what took a place, restored from and deleted", async () => {
  const { workspace, run, json } = await openFolder();
  expect((await run("history")).stdout).toBe("No memory has been replaced yet.\n");
  await put(workspace, learnedItem(9));
  const replaced = (number: number, by: string) => ({
    ...learnedItem(number),
    replacedAt: 5,
    replacedBy: by,
  });
  await workspace.store.replaced.change(() => ({
    entries: [replaced(1, "id-9"), replaced(2, "id-9"), replaced(3, "gone")],
    result: undefined,
  }));
  expect((await run("history", "list")).stdout).toMatch(
    /id-3 .*fact 3 → \(no longer there\)\nid-2 .*fact 2 → fact 9\nid-1 .*fact 1 → fact 9\n3 in all/u,
  );
  expect((await json("history")).value).toHaveLength(3);
  expect((await run("history", "restore", "id-1")).stdout).toBe("Restored (id-1).\n");
  expect((await json("history", "remove", "id-2")).value).toEqual({ removed: 1 });
  expect((await workspace.memories.history()).map(({ id }) => id)).toEqual(["id-3"]);
  expect((await workspace.memories.list()).map(({ id }) => id)).toEqual(["id-9", "id-1"]);
  const missing = await json("history", "restore", "id-1");
  expect([missing.status, missing.value.error.code]).toEqual([1, "ERR_MEMORY_NOT_FOUND"]);
});

it("clear says that what waits for a yes goes too", async () => {
  const { workspace, run, propose } = await openFolder();
  await propose("likes tea");
  expect((await run("clear")).stderr).toContain("The 1 that wait for your yes go too.");
  await run("clear", "--yes");
  expect(await workspace.candidates.list()).toEqual([]);
});

it("doctor says how many wait, and names a file that is no list", async () => {
  const { cwd, run, propose } = await openFolder();
  await propose("likes tea", "uses zsh");
  const shown = await run("doctor");
  expect([shown.status, shown.stdout]).toEqual([
    0,
    expect.stringContaining("2 that were learned wait for a yes"),
  ]);
  for (const name of ["candidates.json", "history.json"]) {
    await writeFile(join(cwd, "ai", "memory", name), "{}");
  }
  const broken = await run("doctor");
  expect(broken.status).toBe(1);
  expect(broken.stdout).toMatch(/candidates\.json/u);
  expect(broken.stdout).toMatch(/history\.json/u);
});

it("their help fits a screen", async () => {
  const { cwd } = await openFolder();
  for (const args of [["candidates"], ["history"], []]) {
    for (const LANG of ["en_US.UTF-8", "zh_CN.UTF-8"]) {
      const { status, stdout } = await cli.run([...args, "--help"], { cwd, env: { LANG } });
      const lines = stdout.split("\n");
      expect(status).toBe(0);
      expect(lines.length).toBeLessThanOrEqual(40);
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
    }
  }
});
