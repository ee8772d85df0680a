import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { bundle } from "../support/bundle.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { temporaryFolder } from "../support/temporary-folder.js";

it("eight threads of one process that add facts at once lose none, and no two have one id", async () => {
  const dir = await temporaryFolder();
  const { file, remove } = await bundle("test/store/child.ts");
  try {
    const names = Array.from("abcdefgh");
    const threads = names.map((name) => new Worker(file, { argv: ["add", dir, `${name}:5`] }));
    expect(await Promise.all(threads.map((thread) => once(thread, "exit")))).toEqual(names.map(() => [0]));
    const items = await new MemoryWorkspace({ dir, logger: new CollectingLogger() }).memories.list();
    expect(new Set(items.map(({ id }) => id)).size).toBe(40);
    for (const name of names) {
      const own = items.map(({ content }) => content).filter((content) => content.startsWith(name));
      expect(own).toEqual([0, 1, 2, 3, 4].map((number) => `${name} ${number}`));
    }
    expect(await readdir(join(dir, "memory"))).toEqual(["memory.json"]);
  } finally {
    await remove();
  }
});
