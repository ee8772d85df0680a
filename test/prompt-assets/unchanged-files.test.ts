import { promises as fs } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";

test("a file that is as it was is not opened again, and one that was changed is, also where size and time look the same", async () => {
  const dir = await temporaryFolder();
  const workspace = new MemoryWorkspace({ dir });
  const path = join(await workspace.rules.directory(), "rule.md");
  await fs.writeFile(path, "the old rule");
  const open = vi.spyOn(fs, "open");
  syncBuiltinESMExports(); // Named imports of `node:fs/promises` see the spy from here on.
  onTestFinished(() => {
    open.mockRestore();
    syncBuiltinESMExports();
  });
  // As if all this had been written a minute ago.
  const now = Date.now() + 60_000;
  vi.spyOn(Date, "now").mockImplementation(() => now);

  for (let call = 1; call <= 3; call++) {
    expect((await workspace.assembleContext()).text).toContain("the old rule");
  }
  const opened = open.mock.calls.filter(([file]) => file === path);
  expect(opened).toHaveLength(1);

  const { atime, mtime } = await fs.stat(path);
  await fs.writeFile(path, "the new rule");
  await fs.utimes(path, atime, mtime);
  expect((await workspace.assembleContext()).text).toContain("the new rule");
});

test("a folder of rules that is a link to one kept elsewhere is listed anew when a file comes or goes there", async () => {
  const [dir, elsewhere] = await Promise.all([temporaryFolder(), temporaryFolder()]);
  await fs.writeFile(join(elsewhere, "first.md"), "the first rule");
  await fs.symlink(elsewhere, join(dir, "rules"));
  const workspace = new MemoryWorkspace({ dir });
  // As if all this had been made a minute ago.
  const now = Date.now() + 60_000;
  vi.spyOn(Date, "now").mockImplementation(() => now);
  expect((await workspace.assembleContext()).text).toContain("the first rule");

  await fs.writeFile(join(elsewhere, "second.md"), "the second rule");
  await fs.rm(join(elsewhere, "first.md"));
  const { text } = await workspace.assembleContext();
  expect(text).toContain("the second rule");
  expect(text).not.toContain("the first rule");
});
