import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CrossSessionMemory, MemoryWorkspace } from "../../src/index.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function open() {
  const parent = await temporaryFolder();
  const dir = join(parent, "deep", "ai");
  const model = new ScriptedModel('[{"content":"uses zsh"}]');
  const workspace = new MemoryWorkspace({ dir, model, logger: new CollectingLogger() });
  return { parent, dir, model, workspace };
}

const turn = (words: string) => [
  ["human", words],
  ["ai", "Noted."],
];
const strange = [
  "../x",
  "..",
  "/etc/x",
  "a/b",
  "a\\b",
  "🦊",
  "x".repeat(500),
  "CON",
  "con",
  "nul.txt",
  "A",
  "a",
  " ",
  "a b",
  "\0",
];

describe("session ids that are no file names", () => {
  it("give each session files of its own inside chats/, and nothing outside", async () => {
    const { parent, dir, workspace } = await open();
    for (const [index, sessionId] of strange.entries()) {
      const memory = new CrossSessionMemory({ workspace, sessionId });
      await memory.saveContext({ input: `words ${index}` }, { output: "Noted." });
    }
    await workspace.extractNow();
    const chats = await readdir(join(dir, "chats"), { withFileTypes: true });
    const files = chats.filter((entry) => !entry.name.startsWith("."));
    expect(files.every((entry) => entry.isFile())).toBe(true);
    expect(new Set(files.map(({ name }) => name.toLowerCase())).size).toBe(2 * strange.length);
    for (const { name } of files) expect(name).toMatch(/^[a-z0-9_-]{1,70}\.jsonl?$/);
    expect(await readdir(parent)).toEqual(["deep"]);
    expect(await readdir(join(parent, "deep"))).toEqual(["ai"]);
    for (const [index, sessionId] of strange.entries()) {
      const memory = new CrossSessionMemory({ workspace: new MemoryWorkspace({ dir }), sessionId });
      const { history } = await memory.loadMemoryVariables({});
      expect(String(history).match(/words \d+/g)).toEqual([`words ${index}`]);
    }
    const listed = (await workspace.sessions.list()).map(({ sessionId }) => sessionId);
    expect(listed.sort()).toEqual([...strange].sort());
  });
});

describe("users", () => {
  it("have memories, queue, sessions and memory settings of their own; rules and skills are the app's", async () => {
    const { dir, workspace } = await open();
    await mkdir(join(dir, "rules"), { recursive: true });
    await writeFile(join(dir, "rules", "a.md"), "rule of the app");
    const [anna, bob] = [workspace.forUser("anna"), workspace.forUser("bob")];
    await anna.memories.add("anna's fact");
    await anna.recordTurn("s", turn("anna's words"));
    await workspace.memories.add("the app's fact");
    expect((await bob.assembleContext()).text).not.toContain("fact");
    expect((await bob.assembleContext()).text).toContain("rule of the app");
    expect((await workspace.assembleContext()).text).not.toContain("anna");
    expect(await bob.sessions.list()).toEqual([]);
    expect((await anna.sessions.list()).map(({ sessionId }) => sessionId)).toEqual(["s"]);
    expect((await workspace.waiting.count()).messages).toBe(0);
    expect(await bob.extractNow()).toMatchObject({ requests: 0 });
    expect(await bob.memories.clear({ waiting: true })).toBe(0);
    expect(await anna.memories.list()).toHaveLength(1);
    expect((await anna.waiting.count()).messages).toBe(2);
  });

  it("never reach another's file, whatever their id", async () => {
    const { parent, dir, workspace } = await open();
    for (const userId of strange)
      await workspace.forUser(userId).memories.add(`fact of ${userId.slice(0, 9)}x`);
    const folders = await readdir(join(dir, "users"));
    expect(new Set(folders.map((name) => name.toLowerCase())).size).toBe(strange.length);
    for (const userId of strange) {
      const items = await new MemoryWorkspace({ dir }).forUser(userId).memories.list();
      expect(items).toHaveLength(1);
    }
    expect((await readdir(dir)).sort()).toEqual(["users"]);
    expect(await readdir(parent)).toEqual(["deep"]);
  });

  it("are refused without an id, for every call", async () => {
    const { workspace } = await open();
    for (const userId of ["", undefined, null, 5, {}] as unknown as string[]) {
      expect(() => workspace.forUser(userId)).toThrow(expect.objectContaining({ code: "ERR_USER_INVALID" }));
      await expect(workspace.deleteUser(userId)).rejects.toMatchObject({ code: "ERR_USER_INVALID" });
    }
  });

  it("are one workspace each, and are gone with everything when deleted", async () => {
    const { dir, workspace } = await open();
    const anna = workspace.forUser("anna");
    expect(workspace.forUser("anna")).toBe(anna);
    await anna.memories.add("fact");
    await anna.recordTurn("s", turn("words"));
    await anna.extractNow();
    await workspace.forUser("bob").memories.add("fact");
    expect(await workspace.deleteUser("anna")).toBe(true);
    expect(await workspace.deleteUser("anna")).toBe(false);
    expect((await readdir(join(dir, "users"))).map((name) => basename(name))).toEqual(["bob"]);
    expect(await workspace.forUser("anna").memories.list()).toEqual([]);
    expect((await workspace.forUser("anna").waiting.count()).messages).toBe(0);
    expect(await readFile(join(dir, "users", "bob", "memory", "memory.json"), "utf8")).toContain("fact");
  });
});
