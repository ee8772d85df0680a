import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { JsonMemoryStore, MemoryWorkspace, type Settings, type WorkspaceOptions } from "../../src/index.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function open(options: WorkspaceOptions = {}) {
  const dir = await temporaryFolder();
  const logger = new CollectingLogger();
  const workspace = new MemoryWorkspace({ dir, logger, ...options });
  const file = join(dir, "settings.json");
  const write = (value: unknown) =>
    writeFile(file, typeof value === "string" ? value : JSON.stringify(value));
  const read = async () => JSON.parse(await readFile(file, "utf8"));
  return { dir, logger, workspace, settings: workspace.settings, file, write, read };
}

const defaults: Settings = {
  aiMemoryEnabled: true,
  aiMemoryLimit: 100,
  aiRulesEnabled: true,
  aiSkillsEnabled: true,
  aiRulesDisabled: [],
  aiSkillsDisabled: [],
};

describe("settings.get", () => {
  it("gives the defaults while nothing was switched, and makes no file", async () => {
    const { settings, dir } = await open();
    expect(await settings.get()).toEqual(defaults);
    expect(await readdir(dir)).toEqual([]);
  });

  it("takes the constructor's value, but a key that is in the file wins", async () => {
    const { settings, write } = await open({ enabled: false, limit: 50 });
    expect(await settings.get()).toEqual({ ...defaults, aiMemoryEnabled: false, aiMemoryLimit: 50 });
    await write({ aiMemoryLimit: 20 });
    expect(await settings.get()).toEqual({ ...defaults, aiMemoryEnabled: false, aiMemoryLimit: 20 });
    await write({ aiMemoryEnabled: true });
    expect(await settings.get()).toEqual({ ...defaults, aiMemoryEnabled: true, aiMemoryLimit: 50 });
  });

  it.each([
    [5, 10],
    [-3, 10],
    [1001, 1000],
    [1e300, 1000],
    [50.4, 50],
  ])("takes a limit of %d to %d and warns once", async (limit, nearest) => {
    const { settings, write, logger } = await open();
    await write({ aiMemoryLimit: limit });
    for (let times = 0; times < 3; times++) expect((await settings.get()).aiMemoryLimit).toBe(nearest);
    expect(logger.warnings).toHaveLength(1);
    expect(logger.warnings[0]).toContain("aiMemoryLimit");
    expect(logger.warnings[0]).toContain(`${nearest} is used`);
  });

  it("ignores a wrong type, warns once for each key and takes the rest", async () => {
    const { settings, write, logger } = await open({ limit: 30 });
    await write({
      aiMemoryEnabled: "false",
      aiMemoryLimit: "50",
      aiRulesEnabled: 0,
      aiSkillsEnabled: false,
      aiRulesDisabled: "a.md",
      aiSkillsDisabled: ["a.md", 3],
    });
    for (let times = 0; times < 3; times++) {
      expect(await settings.get()).toEqual({ ...defaults, aiMemoryLimit: 30, aiSkillsEnabled: false });
    }
    expect(logger.warnings).toHaveLength(5);
    for (const name of [
      "aiMemoryEnabled",
      "aiMemoryLimit",
      "aiRulesEnabled",
      "aiRulesDisabled",
      "aiSkillsDisabled",
    ]) {
      expect(logger.warnings.filter((line) => line.includes(`${name} in `))).toHaveLength(1);
    }
  });

  it("warns anew when a key was right in between", async () => {
    const { settings, write, logger } = await open();
    for (const limit of [5, 5, 20, 5]) {
      await write({ aiMemoryLimit: limit });
      await settings.get();
    }
    expect(logger.warnings).toHaveLength(2);
  });

  it("says nothing of keys that it doesn't know", async () => {
    const { settings, write, logger } = await open();
    await write({ aiThemeOfNextVersion: { dark: true }, theme: 5, toString: 1 });
    expect(await settings.get()).toEqual(defaults);
    expect(logger.all).toBe("");
  });

  it.each([["[]"], ["5"], ["null"], ['"x"'], ["{"], ["\0\0\0\0"], ["{'aiMemoryLimit': 20}"]])(
    "goes by the defaults where the file is %j, with one warning that names it",
    async (text) => {
      const { settings, write, logger } = await open({ limit: 40 });
      await write(text);
      for (let times = 0; times < 2; times++) {
        expect(await settings.get()).toEqual({ ...defaults, aiMemoryLimit: 40 });
      }
      expect(logger.warnings).toHaveLength(1);
      expect(logger.warnings[0]).toContain("settings.json");
    },
  );

  it.each([[""], [" \n"], ["\uFEFF"]])("an empty file (%j) is no fault", async (text) => {
    const { settings, write, logger } = await open();
    await write(text);
    expect(await settings.get()).toEqual(defaults);
    expect(logger.all).toBe("");
  });

  it("a byte order mark is no fault", async () => {
    const { settings, write, logger } = await open();
    await write('\uFEFF{ "aiMemoryLimit": 20 }');
    expect((await settings.get()).aiMemoryLimit).toBe(20);
    expect(logger.all).toBe("");
  });

  it("a memory that was switched off stays off while the file is broken or in the way", async () => {
    const { settings, write, file, workspace } = await open();
    await workspace.memories.add("User prefers pnpm.");
    await settings.update({ aiMemoryEnabled: false });
    expect((await settings.get()).aiMemoryEnabled).toBe(false);
    await write("{");
    expect((await settings.get()).aiMemoryEnabled).toBe(false);
    expect((await workspace.assembleContext()).text).toBe("");
    await settings.update({ aiMemoryLimit: 20 });
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ aiMemoryEnabled: false, aiMemoryLimit: 20 });
  });

  it("a directory in place of the file is warned of once and throws into nothing", async () => {
    const { settings, file, logger, workspace } = await open();
    await mkdir(file);
    for (let times = 0; times < 2; times++) expect(await settings.get()).toEqual(defaults);
    expect((await workspace.assembleContext()).text).toBe("");
    expect(logger.warnings).toHaveLength(1);
    expect(logger.warnings[0]).toContain("EISDIR");
    await expect(settings.update({ aiMemoryLimit: 20 })).rejects.toMatchObject({ code: "EISDIR" });
  });

  it("a store of the app's own that can't be reached throws into no conversation", async () => {
    const dir = await temporaryFolder();
    const logger = new CollectingLogger();
    const store = new JsonMemoryStore({ dir: join(dir, "store") });
    let isDown = false;
    const settings = {
      read: async () => {
        if (isDown) throw Object.assign(new Error("secret host"), { code: "ECONNREFUSED" });
        return { aiMemoryEnabled: false, aiMemoryLimit: 33 };
      },
      change: async () => {
        throw Object.assign(new Error("secret host"), { code: "ECONNREFUSED" });
      },
    };
    const { memories, replaced, candidates, waiting, sessions, conversations, extraction } = store;
    const parts = { memories, replaced, candidates, waiting, sessions, conversations, extraction };
    const methods = { forUser: () => store, deleteUser: async () => false };
    const workspace = new MemoryWorkspace({
      dir,
      logger,
      store: { ...parts, settings, ...methods },
    });
    await writeFile(join(dir, "settings.json"), JSON.stringify({ aiMemoryLimit: 20, aiRulesEnabled: false }));
    const expected = { ...defaults, aiMemoryEnabled: false, aiMemoryLimit: 33, aiRulesEnabled: false };
    expect(await workspace.settings.get()).toEqual(expected);
    isDown = true;
    for (let times = 0; times < 2; times++) {
      expect(await workspace.settings.get()).toEqual(expected);
      await workspace.assembleContext();
    }
    expect(logger.warnings).toHaveLength(1);
    expect(logger.all).toContain("ECONNREFUSED");
    expect(logger.all).not.toContain("secret host");
    await expect(workspace.settings.update({ aiMemoryLimit: 40 })).rejects.toMatchObject({
      code: "ECONNREFUSED",
    });
  });
});

describe("settings.update", () => {
  it("writes what was switched and nothing else", async () => {
    const { settings, read, file } = await open({ limit: 50 });
    await settings.update({ aiRulesEnabled: false });
    expect(await read()).toEqual({ aiRulesEnabled: false });
    await settings.update({ aiMemoryEnabled: false, aiSkillsDisabled: ["a.md"] });
    expect(await read()).toEqual({
      aiRulesEnabled: false,
      aiMemoryEnabled: false,
      aiSkillsDisabled: ["a.md"],
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await settings.get()).toEqual({
      ...defaults,
      aiMemoryLimit: 50,
      aiRulesEnabled: false,
      aiMemoryEnabled: false,
      aiSkillsDisabled: ["a.md"],
    });
  });

  it("keeps keys that it doesn't know", async () => {
    const { settings, write, read } = await open();
    await write({ theme: { dark: true }, aiNext: [1], aiMemoryLimit: 20 });
    await settings.update({ aiMemoryLimit: 30 });
    expect(await read()).toEqual({ theme: { dark: true }, aiNext: [1], aiMemoryLimit: 30 });
  });

  it("takes a limit's bounds", async () => {
    const { settings } = await open();
    for (const aiMemoryLimit of [10, 1000]) {
      await settings.update({ aiMemoryLimit });
      expect((await settings.get()).aiMemoryLimit).toBe(aiMemoryLimit);
    }
  });

  it.each<[patch: unknown, named: string]>([
    [{ aiMemoryLimit: 9 }, "aiMemoryLimit must be an integer from 10 to 1000"],
    [{ aiMemoryLimit: 1001 }, "aiMemoryLimit must be an integer from 10 to 1000"],
    [{ aiMemoryLimit: 10.5 }, "aiMemoryLimit must be an integer"],
    [{ aiMemoryLimit: "20" }, "aiMemoryLimit must be an integer"],
    [{ aiMemoryEnabled: 1 }, "aiMemoryEnabled must be true or false"],
    [{ aiRulesEnabled: null }, "aiRulesEnabled must be true or false"],
    [{ aiSkillsEnabled: "on" }, "aiSkillsEnabled must be true or false"],
    [{ aiRulesDisabled: "a.md" }, "aiRulesDisabled must be an array of file names"],
    [{ aiSkillsDisabled: [1] }, "aiSkillsDisabled must be an array of file names"],
    [{ aiMemoryLimit: 20, limit: 20 }, "unknown setting; known are aiMemoryEnabled, "],
    [{ toString: 1 }, "unknown setting"],
    [null, "settings must be an object"],
    ["aiMemoryLimit", "settings must be an object"],
    [[], "settings must be an object"],
  ])("refuses %j with a code and writes nothing", async (patch, named) => {
    const { settings, dir } = await open();
    const refused = settings.update(patch as Partial<Settings>);
    await expect(refused).rejects.toMatchObject({ code: "ERR_SETTING_INVALID" });
    await expect(refused).rejects.toThrow(named);
    expect(await readdir(dir)).toEqual([]);
  });

  it("moves a broken file aside before it writes, never over an earlier one", async () => {
    const { settings, write, read, dir, logger } = await open();
    for (const broken of ["[1]", "not JSON"]) {
      await write(broken);
      await settings.get();
      await settings.update({ aiMemoryLimit: 20 });
      expect(await read()).toMatchObject({ aiMemoryLimit: 20 });
      expect(await settings.get()).toMatchObject({ aiMemoryLimit: 20 });
    }
    const aside = (await readdir(dir)).filter((name) => name.startsWith("settings.json.corrupt-"));
    expect(await Promise.all(aside.sort().map((name) => readFile(join(dir, name), "utf8")))).toEqual([
      "[1]",
      "not JSON",
    ]);
    expect(logger.warnings).toHaveLength(2);
  });

  it("loses none of two switches at once, by two processes", async () => {
    const { dir, settings } = await open();
    const other = new MemoryWorkspace({ dir });
    await Promise.all([
      settings.update({ aiMemoryLimit: 20 }),
      other.settings.update({ aiRulesEnabled: false }),
      settings.update({ aiSkillsEnabled: false }),
    ]);
    const expected = { ...defaults, aiMemoryLimit: 20, aiRulesEnabled: false, aiSkillsEnabled: false };
    expect(await other.settings.get()).toEqual(expected);
    expect(await settings.get()).toEqual(expected);
  });

  it("is in the next model call, also by hand or from another process", async () => {
    const { workspace, write, dir } = await open();
    await workspace.memories.add("User prefers pnpm.");
    expect((await workspace.assembleContext()).text).toContain("pnpm");
    await new MemoryWorkspace({ dir }).settings.update({ aiMemoryEnabled: false });
    expect((await workspace.assembleContext()).text).toBe("");
    await write({});
    expect((await workspace.assembleContext()).text).toContain("pnpm");
  });

  it("parts a user's memory switch and limit from the app's, and shares the rest", async () => {
    const { workspace, dir } = await open({ limit: 50 });
    const user = workspace.forUser("A");
    await workspace.settings.update({ aiMemoryEnabled: false, aiMemoryLimit: 20 });
    await user.settings.update({ aiMemoryLimit: 30, aiRulesEnabled: false });
    expect(await workspace.settings.get()).toMatchObject({
      aiMemoryEnabled: false,
      aiMemoryLimit: 20,
      aiRulesEnabled: false,
    });
    expect(await user.settings.get()).toMatchObject({
      aiMemoryEnabled: true,
      aiMemoryLimit: 30,
      aiRulesEnabled: false,
    });
    expect(await workspace.forUser("a").settings.get()).toMatchObject({
      aiMemoryEnabled: true,
      aiMemoryLimit: 50,
    });
    expect(JSON.parse(await readFile(join(dir, "settings.json"), "utf8"))).toEqual({
      aiMemoryEnabled: false,
      aiMemoryLimit: 20,
      aiRulesEnabled: false,
    });
  });
});
