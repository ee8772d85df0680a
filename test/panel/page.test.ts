import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MemoryWorkspace } from "../../src/index.js";
import { hasBrowser, section, useBrowser } from "./browser.js";

const { openPage } = useBrowser();

async function stored(dir: string): Promise<readonly { id: string; content: string }[]> {
  return JSON.parse(await readFile(join(dir, "memory", "memory.json"), "utf8"));
}

async function writeMemories(dir: string, contents: readonly string[]) {
  await mkdir(join(dir, "memory"), { recursive: true });
  const items = contents.map((content, index) => ({
    id: `m-${index}`,
    content,
    createdAt: Date.UTC(2026, 0, 1) + index,
    sourceScope: index % 2 === 0 ? "global" : "12345678-90ab",
  }));
  await writeFile(join(dir, "memory", "memory.json"), JSON.stringify(items));
}

async function writeAssets(dir: string, kind: "rules" | "skills", files: Record<string, string>) {
  await mkdir(join(dir, kind), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, kind, name), text);
}

async function wait(workspace: MemoryWorkspace) {
  const turn = [
    { role: "user", content: "I use pnpm" },
    { role: "assistant", content: "Noted." },
  ];
  await workspace.recordTurn("session-1", turn, { model: { invoke: async () => ({}) } as never });
}

describe.skipIf(!hasBrowser)("in Chromium", () => {
  it("a memory is added, corrected, searched and deleted by click, and the file holds it", async () => {
    const { dir, page, problems } = await openPage();
    await page.getByText("Preferences and facts from your conversations will be recorded here").waitFor();
    const field = page.getByLabel("Add a memory");
    await field.fill("用 pnpm 😀");
    await page.getByText("8 / 200").waitFor();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Added.").waitFor();
    expect(await stored(dir)).toMatchObject([{ content: "用 pnpm 😀" }]);
    await field.fill("I use vim");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const rows = section(page, "Memory").getByRole("listitem");
    await rows.nth(1).waitFor();
    await page.getByLabel("Search memories").fill("PNPM");
    await page.getByText("1 found of 2").waitFor();
    expect(await rows.count()).toBe(1);
    await rows.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Correct this memory").fill("用 npm");
    await page.getByLabel("Search memories").fill("");
    await rows.last().getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect((await stored(dir)).map(({ content }) => content)).toEqual(["用 npm", "I use vim"]);
    await rows.first().getByRole("button", { name: "Delete" }).click();
    await page.getByText("Deleted.").waitFor();
    expect((await stored(dir)).map(({ content }) => content)).toEqual(["用 npm"]);
    expect(problems).toEqual([]);
  });

  it("the same by keyboard alone, and the focus is never lost", async () => {
    const { dir, page } = await openPage();
    await page.getByLabel("Add a memory").focus();
    await page.keyboard.type("first");
    await page.keyboard.press("Enter");
    await page.getByText("Added.").waitFor();
    await page.keyboard.type("second");
    await page.keyboard.press("Enter");
    const rows = section(page, "Memory").getByRole("listitem");
    await rows.nth(1).waitFor();
    const pressUntil = async (name: string) => {
      for (let count = 0; count < 20; count++) {
        await page.keyboard.press("Tab");
        if ((await page.evaluate("document.activeElement.textContent")) === name) return;
      }
      throw new Error(`Tab does not lead to ${name}`);
    };
    await pressUntil("Edit");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("corrected");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Saved.").waitFor();
    expect((await stored(dir)).map(({ content }) => content)).toEqual(["first", "corrected"]);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Edit");
    await pressUntil("Delete");
    await page.keyboard.press("Enter");
    await page.getByText("Deleted.").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Delete");
    expect((await stored(dir)).map(({ content }) => content)).toEqual(["first"]);
    await pressUntil("Clear memories…");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Clear memories…");
    expect(await stored(dir)).toHaveLength(1);
  });

  it("a memory that is too long is refused with its count, and what was typed stays", async () => {
    const { page, workspace } = await openPage();
    await page.getByLabel("Add a memory").fill("字".repeat(201));
    await page.getByText("1 characters too many").waitFor();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "longer than 200 characters" }).waitFor();
    expect(await page.getByLabel("Add a memory").inputValue()).toHaveLength(201);
    expect(await workspace.memories.list()).toEqual([]);
  });

  it("a long memory is cut short and opened by a click; the source is global or 8 characters", async () => {
    const long = "A fact that is rather long. ".repeat(7).trim();
    const { page } = await openPage({ prepare: (dir) => writeMemories(dir, ["short", long]) });
    const row = section(page, "Memory").getByRole("listitem").first();
    const content = row.getByRole("button").first();
    expect((await content.textContent())?.endsWith("…")).toBe(true);
    expect(await content.getAttribute("aria-expanded")).toBe("false");
    await content.click();
    expect(await content.textContent()).toBe(long);
    await row.getByText("Source: 12345678", { exact: true }).waitFor();
    await page.getByText("Source: global").waitFor();
  });

  it("clear asks again, says how much waits, and drops that only where asked", async () => {
    const { page, workspace } = await openPage({
      prepare: async (dir, one) => {
        await writeMemories(dir, ["one", "two"]);
        await wait(one);
      },
    });
    const clear = page.getByRole("button", { name: "Clear memories…" });
    await clear.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("All 2 memories will be deleted.").waitFor();
    await dialog.getByText("2 messages (16 characters from 1 sessions) still wait").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await workspace.memories.list()).toHaveLength(2);
    await clear.click();
    await dialog.getByRole("button", { name: "Clear", exact: true }).click();
    await page.getByText("2 memories were cleared.").waitFor();
    expect([(await workspace.memories.list()).length, (await workspace.waiting.count()).messages]).toEqual([
      0, 2,
    ]);
    await clear.click();
    await dialog.getByLabel("Also drop what waits to be learned").check();
    await dialog.getByRole("button", { name: "Clear", exact: true }).click();
    await expect.poll(async () => (await workspace.waiting.count()).messages).toBe(0);
  });

  it("switches and limit are changed, and settings.json holds it", async () => {
    const { dir, page } = await openPage({
      prepare: (dir) => writeAssets(dir, "rules", { "a.md": "x" }),
    });
    await page.getByRole("switch", { name: "Remember across sessions" }).click();
    await page.getByRole("switch", { name: "Use skills" }).click();
    await page.getByRole("switch", { name: "Use a", exact: true }).focus();
    await page.keyboard.press("Space");
    await page.getByLabel("How many memories are kept").fill("250");
    await page.keyboard.press("Enter");
    const settings = async () => JSON.parse(await readFile(join(dir, "settings.json"), "utf8"));
    await expect.poll(settings).toEqual({
      aiMemoryEnabled: false,
      aiSkillsEnabled: false,
      aiRulesDisabled: ["a.md"],
      aiMemoryLimit: 250,
    });
    await page.getByLabel("How many memories are kept").fill("5");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "10 to 1000" }).waitFor();
    expect((await settings()).aiMemoryLimit).toBe(250);
  });

  it("files show name, size, truncation and what is left out; a preview is rendered; folders open", async () => {
    const { dir, page, openedFolders } = await openPage({
      prepare: (dir) =>
        writeAssets(dir, "skills", {
          "a.md": "---\nname: nginx\ndescription: How to mend it\n---\n# Steps\n\n1. Look\n2. **Mend**",
          "b.md": "x".repeat(9000),
          "c.md": "y".repeat(8000),
          "d.md": "z".repeat(8000),
        }),
    });
    const skills = section(page, "Skills");
    await skills.getByText("How to mend it").waitFor();
    await skills.getByText("Truncated: what is beyond 8 KB is not injected").waitFor();
    await skills.getByText("Not injected: over the total limit").waitFor();
    await section(page, "Budgets").getByText("1 left out over the limit").waitFor();
    expect(await page.getByLabel("Skills", { exact: true }).last().getAttribute("max")).toBe("16384");
    await skills.getByRole("button", { name: "Preview: nginx" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Steps" }).waitFor();
    expect(await dialog.locator("strong").textContent()).toBe("Mend");
    await page.keyboard.press("Escape");
    await skills.getByRole("button", { name: "Open folder" }).click();
    await page.getByText("The folder was opened.").waitFor();
    expect(openedFolders).toEqual([join(dir, "skills")]);
  });

  it("sessions show what waits and are removed after a second question", async () => {
    const { page, workspace } = await openPage({ prepare: (_dir, one) => wait(one) });
    const sessions = section(page, "Sessions and what waits");
    await sessions.getByText("2 messages wait, 16 characters").waitFor();
    await sessions.getByText("16 of 4,000 characters").waitFor();
    await sessions.getByRole("button", { name: "Remove session session-" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await sessions.getByText("There are no sessions yet.").waitFor();
    expect(await workspace.sessions.list()).toEqual([]);
  });

  it("hostile memories, file names, files and sessions appear as text and nothing runs", async () => {
    const hostile = `<img src=x onerror="window.owned=1"><script>window.owned=1</script>`;
    const name = "<img src=x onerror=window.owned=1>.md";
    const { page, problems } = await openPage({
      prepare: async (dir, workspace) => {
        await writeMemories(dir, [hostile, "{title} $& $1"]);
        await writeAssets(dir, "rules", {
          [name]: `---\nname: "${hostile}"\ndescription: ${hostile}\n---\n${hostile}`,
        });
        await workspace.recordTurn(
          hostile,
          [
            ["human", "x"],
            ["ai", "y"],
          ],
          {
            model: { invoke: async () => ({}) } as never,
          },
        );
      },
    });
    await section(page, "Memory").getByText(hostile).waitFor();
    await section(page, "Memory").getByText("{title} $& $1").waitFor();
    await section(page, "Rules").getByText(name).waitFor();
    await section(page, "Rules")
      .getByRole("button", { name: /^Preview/u })
      .click();
    await page.getByRole("dialog").getByRole("paragraph").getByText("window.owned=1").first().waitFor();
    expect(await page.evaluate("window.owned")).toBeUndefined();
    expect(await page.locator("img, main script").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("what changes elsewhere appears without a reload, and what is being typed stays", async () => {
    const { page, workspace } = await openPage({ prepare: (dir) => writeMemories(dir, ["one"]) });
    const rows = section(page, "Memory").getByRole("listitem");
    await rows.first().getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Correct this memory").fill("half a");
    await page.getByLabel("Add a memory").fill("draft");
    await workspace.memories.add("from elsewhere");
    await section(page, "Memory").getByText("from elsewhere").waitFor();
    expect(await page.getByLabel("Correct this memory").inputValue()).toBe("half a");
    expect(await page.getByLabel("Add a memory").inputValue()).toBe("draft");
    await workspace.memories.remove("m-0");
    await page.getByText("This memory was changed or deleted elsewhere").waitFor();
    await workspace.settings.update({ aiMemoryEnabled: false });
    await expect
      .poll(() => page.getByRole("switch", { name: "Remember across sessions" }).isChecked(), {
        timeout: 10_000,
      })
      .toBe(false);
  });

  it("speaks Chinese, with the texts of the settings window word for word", async () => {
    const { page } = await openPage({
      locale: "zh-CN",
      prepare: async (_dir, one) => void (await one.rules.list()),
    });
    for (const text of [
      "对话中产生的偏好与事实将自动记录在这里",
      "记忆内容将随对话发送给模型服务商",
      "建议定期查看记忆列表",
    ]) {
      await page.getByText(text, { exact: true }).waitFor();
    }
    expect(await page.getByText("请勿在规则与技能文件中写入凭据或内网地址").count()).toBe(2);
    await page.getByRole("link", { name: "English" }).click();
    await page.getByRole("heading", { name: "AI memory, rules and skills" }).waitFor();
  });

  it("the axe checker finds nothing, light and dark, wide and on a phone, which shows no sideways scrolling", async () => {
    const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
    const source = await readFile(axe, "utf8");
    for (const [colorScheme, width] of [
      ["light", 1000],
      ["dark", 375],
    ] as const) {
      const { page } = await openPage({
        colorScheme,
        width,
        prepare: async (dir, workspace) => {
          await writeMemories(dir, ["short", "long ".repeat(39), "x".repeat(200)]);
          await writeAssets(dir, "rules", { [`${"long-name".repeat(20)}.md`]: "x".repeat(9000) });
          await wait(workspace);
        },
      });
      const violations = async () => {
        await page.evaluate(source);
        const found = (await page.evaluate("axe.run()")) as {
          violations: { id: string; impact: string; nodes: { target: unknown }[] }[];
        };
        return found.violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)]);
      };
      expect(await violations()).toEqual([]);
      await page.getByRole("button", { name: "Edit" }).first().click();
      await page.getByRole("button", { name: "Clear memories…" }).click();
      expect(await violations()).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    }
  });

  it("a thousand memories and two hundred files show fifty rows each, and more when asked", async () => {
    const contents = Array.from({ length: 1000 }, (_one, index) => `fact number ${index}`);
    const files = Object.fromEntries(Array.from({ length: 200 }, (_one, index) => [`rule-${index}.md`, "x"]));
    const { page } = await openPage({
      prepare: async (dir, workspace) => {
        await workspace.settings.update({ aiMemoryLimit: 1000 });
        await writeMemories(dir, contents);
        await writeAssets(dir, "rules", files);
      },
    });
    const rows = section(page, "Memory").getByRole("listitem");
    expect([await rows.count(), await section(page, "Rules").getByRole("listitem").count()]).toEqual([
      50, 50,
    ]);
    await section(page, "Memory").getByRole("button", { name: "Show 50 more" }).click();
    expect(await rows.count()).toBe(100);
    await page.getByLabel("Search memories").fill("number 7");
    await page.getByText("111 found of 1,000").waitFor();
    expect(await rows.count()).toBe(50);
  });
});
