import { describe, expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { hasBrowser, section, useBrowser } from "./browser.js";

const { openPage } = useBrowser();

/** Of a clock that is ahead: days of the past are kept for 30 days only. */
const days = [
  { day: "2090-01-01", extractions: 2, requests: 3, characters: 12_345, stored: 7, failures: 0 },
  { day: "2090-01-02", extractions: 1, requests: 1, characters: 678, stored: 0, failures: 1 },
];

describe.skipIf(!hasBrowser)("in Chromium", () => {
  it("usage is a table of days, newest first, with requests, characters, facts stored and failures", async () => {
    const { page, problems } = await openPage({
      prepare: (_dir, { store }) => store.extraction.change((state) => ({ ...state, usage: days })),
    });
    const usage = section(page, "Usage");
    const rows = usage.getByRole("table").getByRole("row");
    const shown = [];
    for (const row of await rows.all()) shown.push(await row.locator("th, td").allTextContents());
    expect(shown).toEqual([
      ["Day", "Requests", "Characters", "Stored", "Failures"],
      ["2090-01-02", "1", "678", "0", "1"],
      ["2090-01-01", "3", "12,345", "7", "0"],
    ]);
    expect(await usage.getByRole("columnheader").count()).toBe(5);
    expect(await usage.getByRole("rowheader").allTextContents()).toEqual(["2090-01-02", "2090-01-01"]);
    expect(await usage.getByText("No usage is recorded yet.").isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  it("says where nothing was learned yet, and shows the table as soon as something is", async () => {
    const { page, dir } = await openPage({ locale: "zh-CN" });
    const usage = section(page, "用量");
    await usage.getByText("还没有用量记录。").waitFor();
    expect(await usage.getByRole("table").count()).toBe(0);
    const workspace = new MemoryWorkspace({
      dir,
      structuredOutput: "off",
      model: { invoke: async () => ({ content: '["用户用 pnpm"]' }) } as never,
    });
    await workspace.recordTurn("session-1", [
      ["human", "我用 pnpm"],
      ["ai", "好的"],
    ]);
    await workspace.extractNow();
    await workspace.close();
    await usage.getByRole("table").waitFor();
    expect((await usage.getByRole("cell").allTextContents()).at(-2)).toBe("1");
  });
});
