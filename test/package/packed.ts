import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { command } from "./command.js";

export const root = fileURLToPath(new URL("../../", import.meta.url));

export interface PackedFolder {
  /** Holds all of the following, and is removed at the end. */
  readonly folder: string;
  /** The package as it is published: `package.json`, `dist/` and its texts. */
  readonly directory: string;
  readonly tarball: string;
  /** What is in the tarball. */
  readonly files: readonly string[];
  remove(): Promise<void>;
}

/** Builds into a folder of its own: other tests and people use `dist/` meanwhile. */
export async function pack(): Promise<PackedFolder> {
  const folder = await mkdtemp(join(tmpdir(), "memory-package-"));
  const directory = join(folder, "package");
  const tsdown = join(root, "node_modules/tsdown/dist/run.mjs");
  const build = ["--out-dir", join(directory, "dist"), "--logLevel", "error"];
  await command(root, process.execPath, [tsdown, ...build]);
  for (const name of ["package.json", "README.md", "README.zh-CN.md", "LICENSE", "CHANGELOG.md"]) {
    await cp(join(root, name), join(directory, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
  const printed = await command(directory, "npm", [
    "pack",
    "--ignore-scripts",
    "--json",
    "--pack-destination",
    folder,
  ]);
  const [{ filename, files }] = JSON.parse(printed) as [{ filename: string; files: { path: string }[] }];
  return {
    folder,
    directory,
    tarball: join(folder, filename),
    files: files.map(({ path }) => path),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** `name@version` as this repository has it installed: what the registry has newest is not what is tested here. */
export async function installed(name: string): Promise<string> {
  const text = await readFile(join(root, "node_modules", name, "package.json"), "utf8");
  return `${name}@${(JSON.parse(text) as { version: string }).version}`;
}
