import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { MemoryWorkspace } from "../../src/index.js";
import { learnedItem, put } from "../extraction/learned.js";
import { hasBrowser, section, useBrowser } from "./browser.js";

const { openPage } = useBrowser();
const hostile = `<img src=x onerror="window.owned=1">{content} $&`;

async function propose(workspace: MemoryWorkspace, ...contents: readonly string[]) {
  await put(workspace, learnedItem(1), learnedItem(2));
  await workspace.store.candidates.change(() => ({
    entries: contents.map((content, index) => ({
      ...learnedItem(10 + index, "12345678-90ab"),
      id: `c-${index}`,
      content,
      ...(index === 0 && { replaces: ["id-1", "id-2", "gone"] }),
    })),
    result: undefined,
  }));
}

async function replace(workspace: MemoryWorkspace, ...numbers: readonly number[]) {
  await put(workspace, learnedItem(9));
  const entries = numbers.map((number) => ({
    ...learnedItem(number),
    replacedAt: Date.UTC(2026, 0, 1),
    replacedBy: number === 1 ? "id-9" : "gone",
  }));
  await workspace.store.replaced.change(() => ({ entries, result: undefined }));
}

const contents = async (workspace: MemoryWorkspace) =>
  (await workspace.memories.list()).map(({ content }) => content);

describe.skipIf(!hasBrowser)("in Chromium", () => {
  it("what waits is accepted, put in other words and rejected by click", async () => {
    const { page, workspace, problems } = await openPage({
      prepare: (_dir, one) => propose(one, "lives in Lyon", "likes tea", "uses zsh"),
    });
    const candidates = section(page, "Waiting for your yes");
    const rows = candidates.locator(".rows > li");
    expect(await rows.count()).toBe(3);
    await rows.first().getByText("uses zsh").waitFor();
    await rows.first().getByText("Source: 12345678", { exact: true }).waitFor();
    expect(
      await rows.last().getByLabel("Accepted, it replaces:").getByRole("listitem").allTextContents(),
    ).toEqual(["fact 1", "fact 2"]);
    await rows.first().getByRole("button", { name: "Reject" }).click();
    await page.getByText("Rejected; it will not be proposed again.").waitFor();
    await rows.first().getByRole("button", { name: "Edit and accept" }).click();
    const field = page.getByLabel("In other words");
    expect(await field.inputValue()).toBe("likes tea");
    await field.fill("x".repeat(201));
    await page.getByText("1 characters too many").waitFor();
    await candidates.getByRole("button", { name: "Accept", exact: true }).first().click();
    await page.getByRole("alert").filter({ hasText: "longer than 200 characters" }).waitFor();
    // The browser itself tells of the refusal.
    expect(problems.splice(0)).toEqual([expect.stringContaining("400")]);
    await field.fill("likes green tea");
    await rows.first().getByRole("button", { name: "Accept", exact: true }).click();
    await page.getByText("Remembered.").waitFor();
    expect(await contents(workspace)).toEqual(["fact 1", "fact 2", "likes green tea"]);
    await rows.first().getByRole("button", { name: "Accept", exact: true }).click();
    await expect.poll(() => contents(workspace)).toEqual(["likes green tea", "lives in Lyon"]);
    // Nothing waits, and the option is off: the section is gone.
    await candidates.waitFor({ state: "hidden" });
    expect(await workspace.candidates.list()).toEqual([]);
    const replaced = section(page, "Replaced memories");
    await replaced.getByText("In its place: lives in Lyon").first().waitFor();
    expect(problems).toEqual([]);
  });

  it("the same by keyboard alone, and the focus is never lost", async () => {
    const { page, workspace } = await openPage({
      prepare: (_dir, one) => propose(one, "lives in Lyon", "likes tea", "uses zsh"),
    });
    const focused = () => page.evaluate("document.activeElement.textContent") as Promise<string>;
    const rows = section(page, "Waiting for your yes").locator(".rows > li");
    await rows.first().getByRole("button", { name: "Accept", exact: true }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => rows.count()).toBe(2);
    await expect.poll(focused).toBe("Accept");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Edit and accept");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    expect(await focused()).toBe("Edit and accept");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("likes green tea");
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => rows.count()).toBe(1);
    await expect.poll(focused).toBe("Accept");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Reject");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("memory-search");
    expect(await contents(workspace)).toEqual(["fact 1", "fact 2", "uses zsh", "likes green tea"]);
  });

  it("the focus is not lost either where a look for changes elsewhere overtakes the answer", async () => {
    const { page, workspace } = await openPage({
      prepare: (_dir, one) => propose(one, "likes tea", "uses zsh"),
    });
    const rows = section(page, "Waiting for your yes").locator(".rows > li");
    await rows.first().getByRole("button", { name: "Edit and accept" }).click();
    const held: Route[] = [];
    let holds = true;
    await page.route("**/api/state", async (route) => {
      if (holds) held.push(route);
      else await route.continue();
    });
    await page.keyboard.press("Control+Enter");
    await expect.poll(async () => (await workspace.candidates.list()).length).toBe(1);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    const before = held.length;
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await expect.poll(() => held.length).toBeGreaterThan(before);
    for (const route of held.splice(0, before)) {
      const answered = page.waitForResponse("**/api/state");
      await route.continue();
      await (await answered).finished();
    }
    await page.evaluate("new Promise(requestAnimationFrame)");
    holds = false;
    for (const route of held) await route.continue();
    await page.getByText("Remembered.").waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Accept");
  });

  it("what was replaced is seen with what took its place, restored and deleted", async () => {
    const { page, workspace } = await openPage({ prepare: (_dir, one) => replace(one, 1, 2) });
    const replaced = section(page, "Replaced memories");
    const rows = replaced.getByRole("listitem");
    await rows.first().getByText("In its place: (no longer there)").waitFor();
    await rows.last().getByText("In its place: fact 9").waitFor();
    await rows.last().getByRole("button", { name: "Restore" }).click();
    await page.getByText("Restored; what replaced it stays, too.").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Restore");
    await section(page, "Memory").getByText("fact 1", { exact: true }).waitFor();
    await rows.first().getByRole("button", { name: "Delete" }).click();
    await replaced.waitFor({ state: "hidden" });
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("memory-search");
    expect(await contents(workspace)).toEqual(["fact 9", "fact 1"]);
    expect(await workspace.memories.history()).toEqual([]);
  });

  it("neither is there where there is nothing and the options are off; both are where they are on", async () => {
    const off = await openPage();
    for (const heading of ["Waiting for your yes", "Replaced memories"]) {
      expect(await off.page.getByRole("heading", { name: heading }).count()).toBe(0);
    }
    await propose(off.workspace, "from elsewhere");
    await section(off.page, "Waiting for your yes").getByText("from elsewhere").waitFor();
    const on = await openPage({ options: { review: true, consolidate: true }, locale: "zh-CN" });
    await on.page.getByText("没有等待确认的记忆。").waitFor();
    await on.page.getByText("还没有记忆被取代。").waitFor();
  });

  it("what is being typed stays when somebody else has decided meanwhile", async () => {
    const { page, workspace } = await openPage({
      prepare: (_dir, one) => propose(one, "likes tea", "uses zsh"),
    });
    const candidates = section(page, "Waiting for your yes");
    await candidates.getByRole("button", { name: "Edit and accept" }).first().click();
    await page.getByLabel("In other words").fill("half a");
    await workspace.candidates.reject("c-1");
    await page.getByText("This was decided elsewhere.").waitFor();
    expect(await page.getByLabel("In other words").inputValue()).toBe("half a");
    await candidates.locator("form").getByRole("button", { name: "Accept", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "decided already" }).waitFor();
    await candidates.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => candidates.locator(".rows > li").count()).toBe(1);
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Accept");
  });

  it("clear says that both go too, and takes them along", async () => {
    const { page, workspace } = await openPage({
      prepare: async (_dir, one) => {
        await propose(one, "likes tea");
        await replace(one, 1, 2);
        await workspaceOnly(one);
      },
    });
    await page.getByRole("button", { name: "Clear memories…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The 1 that wait for your yes will go too.").waitFor();
    await dialog.getByText("The 2 that were replaced will go too.").waitFor();
    await dialog.getByRole("button", { name: "Clear", exact: true }).click();
    await page.getByText("0 memories were cleared.").waitFor();
    expect(await workspace.candidates.list()).toEqual([]);
    expect(await workspace.memories.history()).toEqual([]);
  });

  it("hostile words appear as text, and the axe checker finds nothing", async () => {
    const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
    const source = await readFile(axe, "utf8");
    for (const [colorScheme, width] of [
      ["light", 1000],
      ["dark", 375],
    ] as const) {
      const { page, problems } = await openPage({
        colorScheme,
        width,
        prepare: async (_dir, one) => {
          await propose(one, hostile, "x".repeat(200));
          await replace(one, 1, 2);
        },
      });
      await section(page, "Waiting for your yes").getByText(hostile).waitFor();
      await page.getByRole("button", { name: "Edit and accept" }).first().click();
      await page.evaluate(source);
      const { violations } = (await page.evaluate("axe.run()")) as { violations: { id: string }[] };
      expect(violations.map(({ id }) => id)).toEqual([]);
      expect(await page.evaluate("window.owned")).toBeUndefined();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      expect(problems).toEqual([]);
    }
  });
});

/** Leaves candidates and history and no memory, so that these alone can be cleared. */
async function workspaceOnly(workspace: MemoryWorkspace) {
  await workspace.store.memories.change(() => ({ items: [], result: undefined }));
}
