import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
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
  });
  await build.write({ file, format: "esm" });
  await build.close();
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}
