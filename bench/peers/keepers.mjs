import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { oursPath } from "./ours.mjs";

/** Those that write facts to a disk: how one is added, and how all are read. */
export const keepers = {
  async ours({ dir }) {
    const { MemoryWorkspace } = await import(oursPath("index.mjs"));
    const { memories } = new MemoryWorkspace({ dir, locale: "en", limit: 1000 });
    return {
      add: (text) => memories.add(text),
      all: async () => (await memories.list()).map(({ content }) => content),
    };
  },

  /** As its agent does by the tool for editing files. */
  async deepagents({ dir }) {
    const { FilesystemBackend } = await import("deepagents");
    const backend = new FilesystemBackend({ rootDir: dir, virtualMode: true });
    const path = join(dir, "AGENTS.md");
    const heading = "# Memories\n";
    await writeFile(path, heading, { flag: "wx" }).catch((error) => {
      if (error.code !== "EEXIST") throw error;
    });
    return {
      async add(text) {
        const { error } = await backend.edit("/AGENTS.md", heading, `${heading}- ${text}\n`);
        if (error !== undefined) throw new Error(error);
      },
      async all() {
        const text = await readFile(path, "utf8");
        if (!text.startsWith(heading) || !text.endsWith("\n")) {
          // Left as it is nothing could ever be added again.
          await writeFile(path, heading);
          throw new Error("the file is cut off");
        }
        return [...text.matchAll(/^- (.*)$/gm)].map(([, line]) => line);
      },
    };
  },

  async mem0({ dir, baseURL }) {
    const { openMem0 } = await import("./adapters/mem0.mjs");
    const memory = await openMem0({ baseURL, dir });
    return {
      add: (text) => memory.add(text, { userId: "user", infer: false }),
      async all() {
        const { results } = await memory.getAll({ filters: { user_id: "user" }, topK: 10_000 });
        return results.map((result) => result.memory);
      },
    };
  },
};
