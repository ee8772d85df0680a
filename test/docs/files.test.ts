import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CrossSessionMemory, MemoryWorkspace } from "../../src/index.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { root } from "./pages.js";

const pages = ["README.md", "README.zh-CN.md", "docs/files.md", "docs/files.zh-CN.md"];

test.each(pages)("%s names every file that a workspace leaves", async (path) => {
  const text = await readFile(join(root, path), "utf8");
  const files = await filesLeft();
  for (const file of ["memory.json", "extraction.json", "settings.json"]) expect(files).toContain(file);
  expect([...files].filter((file) => !text.includes(file))).toEqual([]);
});

test.each(pages)("%s names every file that the store of files has", async (path) => {
  const text = await readFile(join(root, path), "utf8");
  const source = await readFile(join(root, "src", "memory", "json-memory-store.ts"), "utf8");
  const files = [...source.matchAll(/"([\w-]+\.jsonl?)"/g)].map(([, file = ""]) => file);
  expect(files).toContain("waiting.jsonl");
  expect(files.filter((file) => !text.includes(file))).toEqual([]);
});

/** The names of all files of a workspace in which everything has happened, as the pages write them. */
async function filesLeft(): Promise<Set<string>> {
  const dir = await temporaryFolder();
  const model = new ScriptedModel('[{"content":"The user prefers zsh."}]');
  const workspace = new MemoryWorkspace({ dir, model, locale: "en" });
  await writeFile(join(await workspace.rules.directory(), "tone.md"), "Short answers.");
  await workspace.rules.setEnabled("tone.md", false);
  for (const place of [workspace, workspace.forUser("ada")]) {
    const memory = new CrossSessionMemory({ workspace: place, sessionId: "monday" });
    await memory.saveContext({ input: "I prefer zsh." }, { output: "Noted." });
    await place.extractNow();
    await memory.saveContext({ input: "And nvim." }, { output: "Noted." });
    await place.memories.remove((await place.memories.list())[0]?.id ?? "");
  }
  await workspace.close();
  const files = await readdir(dir, { recursive: true, withFileTypes: true });
  return new Set(
    files
      .filter((file) => file.isFile())
      .map(({ name }) => name.replace(/^monday/, "<session>").replace(/^tone\.md$/, "rules/*.md")),
  );
}
