import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
// @ts-expect-error: a script, without types.
// biome-ignore lint/correctness/useImportExtensions: it runs as it is.
import { draw } from "../../docs/images/architecture.mjs";
import { root } from "./pages.js";

test.each([
  ["en", "architecture.svg"],
  ["zh-CN", "architecture.zh-CN.svg"],
])("the picture in %s is what its script draws", async (language, file) => {
  expect(draw(language)).toBe(await readFile(join(root, "docs", "images", file), "utf8"));
});
