import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { useChild } from "./run-child.js";

const runChild = useChild();

async function open(model = new ScriptedModel("[]")) {
  const dir = await temporaryFolder();
  const workspace = new MemoryWorkspace({ dir, model, logger: new CollectingLogger(), limit: 1000 });
  return { dir, workspace, file: join(dir, "memory", "memory.json") };
}

it("four processes that add 25 facts each lose none, and a reader sees whole JSON at each moment", async () => {
  const { dir, workspace, file } = await open();
  await workspace.memories.add("first");
  const children = ["a", "b", "c", "d"].map((name) => runChild("add", dir, `${name}:25`));
  let isRunning = true;
  const ended = Promise.all(children).finally(() => {
    isRunning = false;
  });
  let looks = 0;
  while (isRunning) {
    expect(Array.isArray(JSON.parse(await readFile(file, "utf8")))).toBe(true);
    expect((await workspace.memories.list()).length).toBeGreaterThan(0);
    looks++;
  }
  expect((await ended).flat()).toEqual([]);
  expect(looks).toBeGreaterThan(20);
  const items = await workspace.memories.list();
  expect(items).toHaveLength(101);
  expect(new Set(items.map(({ content }) => content)).size).toBe(101);
  expect(new Set(items.map(({ id }) => id)).size).toBe(101);
  for (const name of ["a", "b", "c", "d"]) {
    const own = items.map(({ content }) => content).filter((content) => content.startsWith(`${name} `));
    expect(own).toEqual(Array.from({ length: 25 }, (_, index) => `${name} ${index}`));
  }
  expect(await readdir(join(dir, "memory"))).toEqual(["memory.json"]);
});

it("what another process deletes or clears is gone from the very next call", async () => {
  const { dir, workspace } = await open();
  const [one] = [await workspace.memories.add("fact one"), await workspace.memories.add("fact two")];
  expect((await workspace.assembleContext()).text).toContain("fact one");
  await runChild("remove", dir, one.id);
  expect((await workspace.assembleContext()).text).not.toContain("fact one");
  await workspace.recordTurn("s", [
    ["human", "words"],
    ["ai", "words"],
  ]);
  expect((await workspace.waiting.count()).messages).toBe(2);
  await runChild("clear", dir);
  expect((await workspace.assembleContext()).text).toBe("");
  expect(await workspace.waiting.count()).toEqual({ characters: 0, messages: 0, sessions: 0 });
});

it("what another process clears or removes during an extraction does not come back by it", async () => {
  for (const [task, argument] of [
    ["clear", ""],
    ["remove-session", "s"],
  ] as const) {
    let answer: (text: string) => void = () => {};
    const model = new ScriptedModel(() => new Promise<string>((resolve) => (answer = resolve)));
    const { dir, workspace } = await open(model);
    await workspace.recordTurn("s", [
      ["human", "I use zsh."],
      ["ai", "Noted."],
    ]);
    const extraction = workspace.extractNow();
    await expect.poll(() => model.requests.length).toBe(1);
    await runChild(task, dir, argument);
    answer('[{"content":"uses zsh"}]');
    expect(await extraction).toMatchObject({ stored: 0, remaining: 0 });
    expect(await workspace.memories.list()).toEqual([]);
    // Of a cleared session no word is left, only that its messages were seen; a removed one is gone.
    const left = task === "clear" ? [{ sessionId: "s", waiting: { characters: 0, messages: 0 } }] : [];
    expect(await workspace.sessions.list()).toEqual(left);
  }
});

it("a process whose disk is full is refused with a code, and every earlier fact is there", async () => {
  const { dir, workspace, file } = await open();
  for (let number = 0; number < 30; number++)
    await workspace.memories.add(`${number} 以前的${"事实".repeat(72)}`);
  const lines = await runChild("add-until-refused", dir, "", "ulimit -f 80;");
  const added = lines.filter((line) => line.startsWith("added")).length;
  expect(lines.at(-1)).toMatch(/^refused (ERR_WRITE_INCOMPLETE|EFBIG|ENOSPC)$/);
  expect(added).toBeGreaterThan(0);
  expect(JSON.parse(await readFile(file, "utf8"))).toHaveLength(30 + added);
  expect(await readdir(join(dir, "memory"))).toEqual(["memory.json"]);
  await workspace.memories.add("with room again");
  expect(await workspace.memories.list()).toHaveLength(31 + added);
});
