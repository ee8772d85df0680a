import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { MemoryWorkspace } from "../../src/index.js";
import { learnedItem } from "../extraction/learned.js";
import { githubToken, openAiKey } from "../secrets/credentials.js";
import { hasBrowser, section, useBrowser } from "./browser.js";

const { openPage } = useBrowser();
const question = (page: Page) => page.getByRole("dialog", { name: "This looks like a credential" });
const agree = (page: Page) => question(page).getByRole("button", { name: "Save all the same" });
const contents = async (workspace: MemoryWorkspace) =>
  (await workspace.memories.list()).map(({ content }) => content);

describe.skipIf(!hasBrowser)("in Chromium, what looks like a credential", () => {
  it("is added only after a second question that says where it goes; without the yes the words stay", async () => {
    const { page, workspace } = await openPage();
    const field = page.getByLabel("Add a memory");
    await field.fill(`the key is ${openAiKey}`);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await question(page).getByText("sent to the model provider").waitFor();
    await question(page).getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("alert").filter({ hasText: "looks like a credential and was not saved" }).waitFor();
    expect(await field.inputValue()).toBe(`the key is ${openAiKey}`);
    expect(await contents(workspace)).toEqual([]);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await agree(page).click();
    await page.getByText("Added.").waitFor();
    expect(await contents(workspace)).toEqual([`the key is ${openAiKey}`]);
  });

  it("by keyboard alone Enter and Escape mean no, and a correction is asked about too", async () => {
    const { page, workspace } = await openPage({
      prepare: async (_dir, one) => void (await one.memories.add("uses a key")),
    });
    await page.getByRole("button", { name: "Edit" }).focus();
    await page.keyboard.press("Enter");
    for (const no of ["Enter", "Escape"]) {
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(`the token is ${githubToken}`);
      await page.keyboard.press("Control+Enter");
      await question(page).waitFor();
      await page.keyboard.press(no);
      await question(page).waitFor({ state: "hidden" });
      await expect.poll(() => page.evaluate("document.activeElement.localName")).toBe("textarea");
      expect(await contents(workspace)).toEqual(["uses a key"]);
    }
    await page.keyboard.press("Control+Enter");
    await question(page).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Saved.").waitFor();
    expect(await contents(workspace)).toEqual([`the token is ${githubToken}`]);
  });

  it("is asked about where a candidate is put in other words, in Chinese", async () => {
    const { page, workspace } = await openPage({
      locale: "zh-CN",
      prepare: (_dir, one) =>
        one.store.candidates.change(() => ({
          entries: [{ ...learnedItem(1), id: "c-1", content: "有一个密钥" }],
          result: undefined,
        })),
    });
    const candidates = section(page, "等待确认的记忆");
    await candidates.getByRole("button", { name: "修改后记下" }).click();
    await page.getByLabel("改成").fill(`密钥是 ${openAiKey}`);
    await candidates.locator("form").getByRole("button", { name: "记下", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "内容像是密码或密钥" });
    await dialog.getByText("随对话发送给模型服务商").waitFor();
    expect(await contents(workspace)).toEqual([]);
    await dialog.getByRole("button", { name: "仍然保存" }).click();
    await page.getByText("已记下。").waitFor();
    expect(await contents(workspace)).toEqual([`密钥是 ${openAiKey}`]);
  });
});
