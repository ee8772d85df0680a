import { access, readdir, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { anchorsOf, linksOf } from "./markdown.js";
import { isChinese, isReference, readPages, root } from "./pages.js";

const pages = await readPages();
const anchors = new Map<string, string[]>();

describe.each(pages)("$path", (page) => {
  test("leads only to what is there", async () => {
    const astray: string[] = [];
    for (const link of linksOf(page.text)) {
      if (/^(?:https?|mailto):/.test(link)) continue;
      if (!(await leadsSomewhere(page.path, link))) astray.push(link);
    }
    expect(astray).toEqual([]);
  });
});

test("the index of each language leads to every page of it, and the README to the index", () => {
  for (const chinese of [false, true]) {
    const ending = chinese ? ".zh-CN.md" : ".md";
    const index = linked(`docs/README${ending}`);
    const own = pages.filter((page) => page.path.startsWith("docs/") && !isReference(page));
    for (const page of own.filter((one) => isChinese(one) === chinese)) {
      if (page.path !== `docs/README${ending}`) expect(index).toContain(page.path);
    }
    expect(index).toContain("docs/api/README.md");
    expect(linked(`README${ending}`)).toContain(`docs/README${ending}`);
  }
});

test("the index of each language leads to every example", async () => {
  const notExamples = ["biome.json", "model.mjs", "stand-in-model"];
  const examples = (await readdir(join(root, "examples"))).filter((name) => !notExamples.includes(name));
  expect(examples.length).toBeGreaterThan(10);
  for (const index of ["docs/README.md", "docs/README.zh-CN.md"]) {
    expect(examples.filter((name) => !linked(index).includes(`examples/${name}`))).toEqual([]);
  }
});

test("a Chinese page leads to the Chinese twin of what it names", () => {
  const paths = new Set(pages.map(({ path }) => path));
  const astray = pages.filter(isChinese).flatMap(({ path }) =>
    linked(path)
      .filter((target) => target.endsWith(".md") && !target.endsWith(".zh-CN.md"))
      .filter((target) => paths.has(target.replace(/\.md$/, ".zh-CN.md")))
      // The way to the other language.
      .filter((target) => target !== path.replace(".zh-CN.md", ".md"))
      .map((target) => `${path}: ${target}`),
  );
  expect(astray).toEqual([]);
});

function linked(path: string): string[] {
  const text = pages.find((page) => page.path === path)?.text ?? "";
  return linksOf(text).map((link) => normalize(join(dirname(path), link.replace(/#.*/, ""))));
}

async function leadsSomewhere(from: string, link: string): Promise<boolean> {
  const [file = "", anchor] = link.split("#");
  const path = file === "" ? from : normalize(join(dirname(from), file));
  try {
    await access(join(root, path));
    if (anchor === undefined) return true;
    if (!anchors.has(path)) anchors.set(path, anchorsOf(await readFile(join(root, path), "utf8")));
    return anchors.get(path)?.includes(decodeURIComponent(anchor)) === true;
  } catch {
    return false;
  }
}
