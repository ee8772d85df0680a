import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasBrowser, useBrowser } from "./browser.js";

const { openPage } = useBrowser();

/** Rows that a key may make: as many as a list shows. Milliseconds are measured in bench/panel.mjs. */
const shownRows = 50;

async function openWith(memories: number, files: number): Promise<Page> {
  const { page } = await openPage({
    prepare: async (dir, workspace) => {
      await workspace.settings.update({ aiMemoryLimit: 1000 });
      const items = Array.from({ length: memories }, (_one, index) => ({
        id: `m-${index}`,
        content: `fact number ${index}`,
        createdAt: Date.UTC(2026, 0, 1) + index,
        sourceScope: "global",
      }));
      await mkdir(join(dir, "memory"), { recursive: true });
      await writeFile(join(dir, "memory", "memory.json"), JSON.stringify(items));
      for (const kind of ["rules", "skills"]) {
        await mkdir(join(dir, kind), { recursive: true });
        for (let index = 0; index < files / 2; index++) {
          await writeFile(join(dir, kind, `file-${index}.md`), "x");
        }
      }
    },
  });
  return page;
}

/** What the page does for one key, as the browser sees it: rows made, and changes outside of the list's section. */
async function watchKeys(page: Page, text: string) {
  await page.evaluate(`{
    window.keys = [];
    let own;
    // The browser tells of changes as soon as the page's own listener is through.
    const observer = new MutationObserver((records) => {
      for (const { target, addedNodes } of own === undefined ? [] : records) {
        const element = target.closest === undefined ? target.parentElement : target;
        const section = element.closest("section")?.getAttribute("aria-labelledby");
        if (section !== "memory-heading") own.elsewhere++;
        own.made += [...addedNodes].filter((node) => node.localName === "li").length;
      }
    });
    observer.observe(document.getElementById("page"), { childList: true, subtree: true, characterData: true });
    const search = document.getElementById("memory-search");
    // What comes between the keys, such as a look for changes made elsewhere, is not theirs.
    search.addEventListener("input", () => (own = undefined));
    search.addEventListener("input", () => window.keys.push(own = { made: 0, elsewhere: 0 }), { capture: true });
  }`);
  const found: string[] = [];
  await page.getByLabel("Search memories").focus();
  for (const letter of text) {
    await page.keyboard.type(letter);
    found.push((await page.locator("#memory-search ~ [role=status]").textContent()) ?? "");
  }
  const keys = (await page.evaluate("window.keys")) as { made: number; elsewhere: number }[];
  return { keys, found };
}

describe.skipIf(!hasBrowser)("in Chromium, with 1,000 memories and 200 files", () => {
  it("a key in the search makes at most the rows that are shown, and touches nothing else of the page", async () => {
    const page = await openWith(1000, 200);
    const { keys, found } = await watchKeys(page, "number 77");
    expect(found.at(-1)).toBe("11 found of 1,000");
    expect(keys).toHaveLength("number 77".length);
    expect(Math.max(...keys.map(({ made }) => made))).toBeLessThanOrEqual(shownRows);
    expect(Math.max(...keys.map(({ made }) => made))).toBeGreaterThan(0);
    expect(keys.filter(({ elsewhere }) => elsewhere > 0)).toEqual([]);
  });

  it("opens with as many rows as with sixty of each", async () => {
    const count = (page: Page) => page.locator("main li").count();
    const many = await count(await openWith(1000, 200));
    expect(many).toBeGreaterThan(3 * shownRows);
    expect(many).toBe(await count(await openWith(60, 120)));
  });
});
