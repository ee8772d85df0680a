import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

export interface Page {
  /** Its path from the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** Every page that a person reads: those in the root, those in `docs/`, and the reference made from docstrings. */
export async function readPages(): Promise<Page[]> {
  const folders = [".", "docs", "docs/api"];
  const names = await Promise.all(folders.map((folder) => readdir(join(root, folder))));
  const paths = folders.flatMap((folder, at) =>
    (names[at] ?? []).filter((name) => name.endsWith(".md")).map((name) => join(folder, name)),
  );
  return Promise.all(
    paths.sort().map(async (path) => ({ path, text: await readFile(join(root, path), "utf8") })),
  );
}

export function isChinese({ path }: Page): boolean {
  return path.endsWith(".zh-CN.md");
}

/** Made from the docstrings, which are English. */
export function isReference({ path }: Page): boolean {
  return dirname(path) === join("docs", "api");
}

export function twinOf({ path }: Page): string {
  return path.replace(/\.md$/, ".zh-CN.md");
}
