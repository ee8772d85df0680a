import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function open(kind: "rules" | "skills", files: Record<string, string> = {}) {
  const dir = await temporaryFolder();
  const logger = new CollectingLogger();
  const workspace = new MemoryWorkspace({ dir, logger });
  const folder = join(dir, kind);
  await mkdir(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return { dir, folder, logger, workspace, assets: workspace[kind] };
}

describe.each(["rules", "skills"] as const)("%s as a person sees them", (kind) => {
  it("are listed by file name, with what a list shows", async () => {
    const { assets } = await open(kind, {
      "b.md": "---\nname: Deploys\ndescription: How we: deploy\n---\nShip on Mondays.",
      "a.MD": "Be brief.",
      "big.md": "é".repeat(5000),
      "note.txt": "not one",
    });
    expect(await assets.list()).toEqual([
      { filename: "a.MD", name: "a", description: "", bytes: 9, truncated: false, enabled: true },
      {
        filename: "b.md",
        name: "Deploys",
        description: "How we: deploy",
        bytes: 66,
        truncated: false,
        enabled: true,
      },
      { filename: "big.md", name: "big", description: "", bytes: 10_000, truncated: true, enabled: true },
    ]);
  });

  it.each([
    ["Use when: deploying. NOT for: tests", "Use when: deploying. NOT for: tests"],
    ["[beta] ship it", "[beta] ship it"],
    ['"quoted: text" and more', '"quoted: text" and more'],
    ["it's # not a comment", "it's # not a comment"],
    [">-\n  Ship it,\n  then rest", "Ship it, then rest"],
    ["", ""],
    ["123", "123"],
    ["true", "true"],
  ])("have the description %j as a person wrote it, and are in the prompt", async (written, listed) => {
    const { assets, workspace, logger } = await open(kind, {
      "a.md": `---\nname: 123\ndescription: ${written}\n---\nThe body.`,
    });
    expect(await assets.list()).toMatchObject([{ name: "123", description: listed }]);
    expect((await workspace.assembleContext()).text).toContain("## 123\nThe body.");
    expect(logger.all).toBe("");
  });

  it.each([
    ["----\nhello\n----\nworld", 0],
    ["--- Title ---\ntext", 0],
    ["---\nNever delete data\nno closing", 1],
    ["\uFEFF---\nname: a\n---\nfirst\n\n---\n\nafter the break", 0],
  ])("lose no word to dashes: %j", async (written, warnings) => {
    const { workspace, logger } = await open(kind, { "a.md": written });
    const body = written.replace("\uFEFF---\nname: a\n---\n", "");
    const { text } = await workspace.assembleContext();
    expect(text).toContain(`## a\n${body}`);
    expect(text).not.toContain("\uFEFF");
    expect(logger.warnings).toHaveLength(warnings);
  });

  it("are read whole, also those that are cut in the prompt or switched off", async () => {
    const text = `---\nname: Long\n---\n${"规则".repeat(3000)}`;
    const { assets } = await open(kind, { "long.md": text });
    expect(await assets.read("long.md")).toBe(text);
    await assets.setEnabled("long.md", false);
    expect(await assets.read("long.md")).toBe(text);
  });

  it("are switched off and on one by one, from the next call on", async () => {
    const { assets, workspace, dir } = await open(kind, { "a.md": "text of a", "b.md": "text of b" });
    await assets.setEnabled("a.md", false);
    expect((await assets.list()).map(({ enabled }) => enabled)).toEqual([false, true]);
    const { text, segments } = await workspace.assembleContext();
    expect(text).not.toContain("text of a");
    expect(segments[0]?.sources).toEqual(["b.md"]);
    await assets.setEnabled("b.md", false);
    await assets.setEnabled("b.md", false);
    expect((await workspace.assembleContext()).text).toBe("");
    const setting = kind === "rules" ? "aiRulesDisabled" : "aiSkillsDisabled";
    expect(JSON.parse(await readFile(join(dir, "settings.json"), "utf8"))).toEqual({
      [setting]: ["a.md", "b.md"],
    });
    await assets.setEnabled("a.md", true);
    expect((await workspace.assembleContext()).segments[0]?.sources).toEqual(["a.md"]);
  });

  it("are on again when they are renamed", async () => {
    const { assets, folder } = await open(kind, { "a.md": "text" });
    await assets.setEnabled("a.md", false);
    await rename(join(folder, "a.md"), join(folder, "c.md"));
    expect(await assets.list()).toMatchObject([{ filename: "c.md", enabled: true }]);
  });

  it("two switches at once both hold", async () => {
    const { assets, dir } = await open(kind, { "a.md": "a", "b.md": "b", "c.md": "c" });
    const other = new MemoryWorkspace({ dir })[kind];
    await Promise.all([
      assets.setEnabled("a.md", false),
      other.setEnabled("b.md", false),
      assets.setEnabled("c.md", false),
    ]);
    expect((await assets.list()).map(({ enabled }) => enabled)).toEqual([false, false, false]);
  });

  it("a list of names that was spoilt by hand doesn't keep a switch from holding", async () => {
    const { assets, dir } = await open(kind, { "a.md": "a", "b.md": "b" });
    const setting = kind === "rules" ? "aiRulesDisabled" : "aiSkillsDisabled";
    await writeFile(join(dir, "settings.json"), JSON.stringify({ [setting]: ["a.md", 5] }));
    await assets.setEnabled("b.md", false);
    expect((await assets.list()).map(({ enabled }) => enabled)).toEqual([false, false]);
  });

  it.each([
    ["missing.md"],
    ["../settings.json"],
    ["note.txt"],
    [".hidden.md"],
    ["folder.md"],
    [""],
    ["a.md/"],
  ])("%j is none: reading and switching it reject with a code", async (filename) => {
    const { assets, dir, folder } = await open(kind, { "a.md": "a", "note.txt": "x", ".hidden.md": "x" });
    await mkdir(join(folder, "folder.md"));
    await expect(assets.read(filename)).rejects.toMatchObject({ code: "ERR_ASSET_NOT_FOUND" });
    await expect(assets.setEnabled(filename, false)).rejects.toMatchObject({ code: "ERR_ASSET_NOT_FOUND" });
    expect(await readdir(dir)).not.toContain("settings.json");
  });

  it("a switch is true or false and nothing else", async () => {
    const { assets } = await open(kind, { "a.md": "a" });
    const refused = assets.setEnabled("a.md", "off" as unknown as boolean);
    await expect(refused).rejects.toMatchObject({ code: "ERR_SETTING_INVALID" });
  });

  it("have a folder that is made when it is asked for", async () => {
    const dir = join(await temporaryFolder(), "deep", "ai");
    const { [kind]: assets } = new MemoryWorkspace({ dir });
    expect(await assets.directory()).toBe(join(dir, kind));
    expect((await stat(join(dir, kind))).mode & 0o777).toBe(0o700);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    expect(await assets.list()).toEqual([]);
  });

  it("a folder that can't be made rejects for a person, and is empty for a conversation", async () => {
    const dir = await temporaryFolder();
    await writeFile(join(dir, kind), "a file in the way");
    const workspace = new MemoryWorkspace({ dir });
    await expect(workspace[kind].directory()).rejects.toMatchObject({ code: "EEXIST" });
    expect(await workspace[kind].list()).toEqual([]);
    expect((await workspace.assembleContext()).text).toBe("");
  });
});
