import { readFile } from "node:fs/promises";
import { defineConfig } from "tsdown";

export default defineConfig({
  entry: [
    "src/index.ts",
    "src/middleware/index.ts",
    "src/tools/index.ts",
    "src/panel/index.ts",
    "src/cli/index.ts",
  ],
  format: ["esm", "cjs"],
  // Entries share chunks, so that an error class exists once in each build. One output file a source file would do too, but
  // more than a hundred small files take a fifth longer to import.
  unbundle: false,
  platform: "node",
  target: "node20",
  dts: true,
  sourcemap: true,
  clean: true,
  plugins: [
    {
      // `import text from "./page.css?raw"`, as Vite has it: the page's own files travel as strings, in both builds.
      name: "raw-text",
      load: async (id: string) => {
        const [path, query] = id.split("?");
        if (query !== "raw" || path === undefined) return undefined;
        return { code: `export default ${JSON.stringify(await readFile(path, "utf8"))};`, moduleType: "js" };
      },
    },
  ],
});
