import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { App } from "../package/app.js";

const packed = inject("packed");
const kilobyte = 1024;

describe("what an app gets with the package, beside LangChain", () => {
  let before: Tree;
  let after: Tree;
  beforeAll(async () => {
    const app = await App.create(packed, "size");
    await app.add(["langchain", "@langchain/core"]);
    before = await treeOf(app.directory);
    await app.add([packed.tarball]);
    after = await treeOf(app.directory);
  });

  test("is at most 12 packages and 10 MB more", () => {
    const packages = after.packages - before.packages;
    const bytes = after.bytes - before.bytes;
    console.log(`langchain and core: ${before.packages} packages, ${megabytes(before.bytes)}`);
    console.log(`with ours: ${packages} packages and ${megabytes(bytes)} more`);
    expect(packages).toBeGreaterThan(0);
    expect(packages).toBeLessThanOrEqual(12);
    expect(bytes).toBeLessThan(10 * kilobyte * kilobyte);
  });
});

test("the tarball is at most 1.5 MB, and the code without maps and types at most 1.6 MB unpacked", async () => {
  const code = packed.files.filter((path) => /\.[mc]js$/.test(path));
  const bytes = await Promise.all(code.map(async (path) => (await stat(join(packed.directory, path))).size));
  const { size } = await stat(packed.tarball);
  const sum = bytes.reduce((total, one) => total + one, 0);
  console.log(`tarball ${megabytes(size)}, code ${megabytes(sum)} in ${code.length} files`);
  expect(size).toBeLessThan(1.5 * kilobyte * kilobyte);
  expect(sum).toBeLessThan(1.6 * kilobyte * kilobyte);
});

test("each file of code names a source map that holds the text of its sources, and no map is left over", async () => {
  const maps = new Set(packed.files.filter((path) => path.endsWith(".map")));
  for (const path of packed.files.filter((one) => /\.[mc]js$/.test(one))) {
    const code = await readFile(join(packed.directory, path), "utf8");
    const [, named] = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(code) ?? [];
    if (named === undefined) {
      // What only hands on from other files has nothing to map.
      expect(code.length, path).toBeLessThan(1500);
      continue;
    }
    const map = join(path, "..", named);
    expect([...maps]).toContain(map);
    maps.delete(map);
    const { sources, sourcesContent } = JSON.parse(await readFile(join(packed.directory, map), "utf8"));
    expect(sourcesContent).toHaveLength(sources.length);
    expect(sourcesContent.filter((text: unknown) => typeof text !== "string" || text === "")).toEqual([]);
  }
  expect([...maps]).toEqual([]);
});

interface Tree {
  readonly packages: number;
  readonly bytes: number;
}

async function treeOf(directory: string): Promise<Tree> {
  const entries = await readdir(join(directory, "node_modules"), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  const lock = JSON.parse(await readFile(join(directory, "package-lock.json"), "utf8"));
  return {
    packages: Object.keys(lock.packages).length - 1,
    bytes: sizes.reduce((total, one) => total + one, 0),
  };
}

function megabytes(bytes: number): string {
  return `${(bytes / kilobyte / kilobyte).toFixed(1)} MB`;
}
