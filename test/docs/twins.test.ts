import { describe, expect, test } from "vitest";
import { codeBlocks, outline } from "./markdown.js";
import { isChinese, isReference, readPages, twinOf } from "./pages.js";
import { withoutTypes } from "./sandbox.js";

const pages = await readPages();
/** For those who work on this repository, in one language. */
const forDevelopers = ["CHANGELOG.md", "CONTRIBUTING.md"];
const english = pages.filter(
  (page) => !isChinese(page) && !isReference(page) && !forDevelopers.includes(page.path),
);

describe.each(english)("$path", (page) => {
  const twin = pages.find(({ path }) => path === twinOf(page))?.text ?? "";

  test("has a Chinese twin with the same parts in the same order", () => {
    expect(outline(twin)).toEqual(outline(page.text));
  });

  test("has the same code in Chinese, comments aside", () => {
    expect(programs(twin)).toEqual(programs(page.text));
  });

  test("is written in Chinese there, comments included", () => {
    const foreign = codeBlocks(twin)
      .filter(({ language }) => ["js", "ts"].includes(language))
      .flatMap(({ code }) => code.match(/(?:^|\s)\/\/ .*$/gm) ?? [])
      // Code or values in a comment are the same in every language.
      .filter((comment) => /[a-z]{2,} [a-z]{2,} [a-z]{2,}/.test(comment) && !/[\u4e00-\u9fff]/.test(comment));
    expect(foreign).toEqual([]);
    expect(twin.match(/[\u4e00-\u9fff]/g)?.length ?? 0).toBeGreaterThan(50);
  });
});

test("no Chinese page is without an English one", () => {
  const paths = pages.map(({ path }) => path);
  const alone = pages.filter(isChinese).filter(({ path }) => !paths.includes(path.replace(".zh-CN", "")));
  expect(alone).toEqual([]);
});

function programs(text: string): string[] {
  return codeBlocks(text)
    .filter(({ language }) => !["text", "md"].includes(language))
    .map(({ language, code }) => (["js", "ts"].includes(language) ? withoutTypes(code) : code));
}
