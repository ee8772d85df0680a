import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MemoryItem } from "../../src/index.js";
import { hasBrowser, section, useBrowser } from "./browser.js";

const { openPage } = useBrowser();

const time = Date.UTC(2026, 0, 2, 12);
const learned: MemoryItem = {
  id: "m-1",
  content: "User prefers zsh.",
  createdAt: time,
  sourceScope: "session-1",
  source: { sessionIds: ["session-1"], messageIds: ["message-7", "message-8"], learnedAt: time },
};
const byHand: MemoryItem = { id: "m-2", content: "By hand", createdAt: time + 1, sourceScope: "global" };

async function writeMemories(dir: string, ...items: readonly MemoryItem[]) {
  await mkdir(join(dir, "memory"), { recursive: true });
  await writeFile(join(dir, "memory", "memory.json"), JSON.stringify(items));
}

const both = { prepare: (dir: string) => writeMemories(dir, learned, byHand) };

describe.skipIf(!hasBrowser)("in Chromium", () => {
  it("a memory is pinned by a click and unpinned by another, and says which it is", async () => {
    const { page, workspace, problems } = await openPage(both);
    const row = section(page, "Memory").getByRole("listitem").filter({ hasText: "By hand" });
    const pin = row.getByRole("button", { name: "Pin" });
    expect(await pin.getAttribute("aria-pressed")).toBe("false");
    await pin.click();
    await page.getByText("Pinned: neither the limit nor the budget leaves it out.").waitFor();
    await row.getByText("Pinned", { exact: true }).waitFor();
    expect(await pin.getAttribute("aria-pressed")).toBe("true");
    expect(await workspace.memories.list()).toEqual([learned, { ...byHand, pinned: true }]);
    await pin.click();
    await page.getByText("Unpinned.").waitFor();
    await expect.poll(() => row.getByText("Pinned", { exact: true }).count()).toBe(0);
    expect(await workspace.memories.list()).toEqual([learned, byHand]);
    expect(problems).toEqual([]);
  });

  it("by keyboard, in Chinese, and the focus stays on the button", async () => {
    const { page, workspace } = await openPage({ ...both, locale: "zh-CN" });
    const row = section(page, "记忆").getByRole("listitem").filter({ hasText: "By hand" });
    await row.getByRole("button", { name: "编辑" }).focus();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("固定");
    await page.keyboard.press("Space");
    await row.getByText("已固定", { exact: true }).waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("固定");
    expect((await workspace.memories.list())[1]).toMatchObject({ pinned: true });
  });

  it("a pin that does not fit is refused in words", async () => {
    const items = Array.from({ length: 11 }, (_, index) => ({
      ...byHand,
      id: `m-${index}`,
      content: `fact ${index}`,
      ...(index < 10 && { pinned: true }),
    }));
    const { page } = await openPage({
      prepare: async (dir, workspace) => {
        await writeMemories(dir, ...items);
        await workspace.settings.update({ aiMemoryLimit: 10 });
      },
    });
    const row = section(page, "Memory").getByRole("listitem").filter({ hasText: "fact 10" });
    await row.getByRole("button", { name: "Pin" }).click();
    await page.getByRole("alert").filter({ hasText: "Too much is pinned" }).waitFor();
    expect(await row.getByRole("button", { name: "Pin" }).getAttribute("aria-pressed")).toBe("false");
  });

  it("a learned memory opens by keyboard and says session, time and messages; one by hand has nothing to open", async () => {
    const { page, workspace } = await openPage(both);
    const rows = section(page, "Memory").getByRole("listitem");
    const row = rows.filter({ hasText: "User prefers zsh." });
    expect(await row.getByText("message-7").count()).toBe(0);
    const content = row.getByRole("button", { name: "User prefers zsh." });
    expect(await content.getAttribute("aria-expanded")).toBe("false");
    await content.focus();
    await page.keyboard.press("Enter");
    await row.getByText("Session: session-1").waitFor();
    await row.getByText("Messages: message-7, message-8").waitFor();
    await row.getByText(/^Learned: .*2026/u).waitFor();
    expect(await content.getAttribute("aria-expanded")).toBe("true");
    expect(await row.getByText("Corrected by a person").isVisible()).toBe(false);
    await workspace.memories.update("m-1", "User prefers fish.");
    await rows.getByText(/^Corrected by a person: /u).waitFor();
    const other = rows.filter({ hasText: "By hand" });
    expect(await other.getByRole("button", { name: "By hand" }).isDisabled()).toBe(true);
  });

  it("in Chinese", async () => {
    const { page } = await openPage({ ...both, locale: "zh-CN" });
    const row = section(page, "记忆").getByRole("listitem").filter({ hasText: "User prefers zsh." });
    await row.getByRole("button", { name: "User prefers zsh." }).click();
    await row.getByText("会话：session-1").waitFor();
    await row.getByText("消息：message-7、message-8").waitFor();
    await row.getByText(/^学到于 2026/u).waitFor();
  });

  it("a session takes what came from it along where that is ticked, and only then", async () => {
    const { page, workspace } = await openPage({
      prepare: async (dir, one) => {
        await writeMemories(dir, learned, byHand);
        for (const session of ["session-1", "session-2"]) {
          const turn = [
            { role: "user", content: "hello" },
            { role: "assistant", content: "Hello." },
          ];
          await one.recordTurn(session, turn, { model: { invoke: async () => ({}) } as never });
        }
      },
    });
    const sessions = section(page, "Sessions and what waits").getByRole("listitem");
    const dialog = page.getByRole("dialog");
    await sessions
      .filter({ has: page.getByTitle("session-2") })
      .getByRole("button")
      .click();
    await dialog.getByText("Remove session session-").waitFor();
    expect(await dialog.getByRole("checkbox").count()).toBe(0);
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => sessions.count()).toBe(1);
    await sessions.getByRole("button").click();
    await dialog.getByLabel("Also delete the 1 memories that came from it").check();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => sessions.count()).toBe(0);
    expect(await workspace.memories.list()).toEqual([byHand]);
  });
});
