import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Compiles a TypeScript file with all of ours that it imports into one `.mjs`, for child processes and worker threads,
 * which Node 20 can't start from TypeScript. It lies below `node_modules`, so packages are found. `entry` is relative to
 * the root of the repository. Call `remove` when the tests are over.
 */
export async function bundle(entry: string): Promise<{ file: string; remove(): Promise<void> }> {
  const folder = `${root}node_modules/.cache/test-bundles/${randomUUID()}`;
  const file = `${folder}/bundle.mjs`;
  const build = await rolldown({
    input: `${root}${entry}`,
    platform: "node",
    external: /^[^./]/,
    // Extensions are `.js` in our imports and `.ts` on the disk.
    resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
    logLevel: "warn",
    plugins: [rawText],
  });
  await build.write({ file, format: "esm", codeSplitting: false });
  await build.close();
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** As the package's own build has it: `import text from "./page.css?raw"`. */
const rawText = {
  name: "raw-text",
  load: async (id: string) => {
    const [path, query] = id.split("?");
    if (query !== "raw" || path === undefined) return undefined;
    return {
      code: `export default ${JSON.stringify(await readFile(path, "utf8"))};`,
      moduleType: "js" as const,
    };
  },
};
