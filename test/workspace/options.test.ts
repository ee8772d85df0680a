import { spawnSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { JsonMemoryStore, MemoryWorkspace, type WorkspaceOptions } from "../../src/index.js";
import { bundle } from "../support/bundle.js";
import type { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const construct = (options: unknown) => () => new MemoryWorkspace(options as WorkspaceOptions);

function faultOf(options: unknown): Error & { code?: string } {
  try {
    construct(options)();
  } catch (error) {
    return error as Error & { code?: string };
  }
  throw new Error("nothing was thrown");
}

const integers: [option: string, defaultValue: number, min: number, max: number, other?: object][] = [
  ["limit", 100, 10, 1000],
  ["memoryBudget", 8192, 256, 1_048_576],
  ["assetBudget", 16_384, 256, 1_048_576],
  ["assetFileBudget", 8192, 256, 1_048_576],
  ["planBudget", 2048, 256, 1_048_576],
  ["extractionTriggerChars", 4000, 1, 1_000_000, { extractionChunkChars: 1_000_000 }],
  ["extractionChunkChars", 24_000, 1, 1_000_000, { extractionTriggerChars: 1 }],
  ["extractionKnownChars", 16_000, 1, 1_000_000],
  ["extractionTimeoutMs", 180_000, 1, 1_000_000],
  ["maxWaitingChars", 2_000_000, 1, 1_000_000_000],
  ["maxConcurrentExtractions", 4, 1, 1000],
];

describe("options that are numbers", () => {
  it.each(integers)("%s is %d unless told", (option, defaultValue) => {
    const { options } = new MemoryWorkspace().parts;
    expect((options as unknown as Record<string, unknown>)[option]).toBe(defaultValue);
  });

  it.each([...integers, ["sharedAssetBudget", 0, 256, 1_048_576] as const])(
    "%s takes its bounds and nothing outside them",
    (option, _default, min, max, other = {}) => {
      for (const value of [min, max]) expect(construct({ ...other, [option]: value })).not.toThrow();
      for (const value of [min - 1, max + 1, min + 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        const fault = faultOf({ ...other, [option]: value });
        expect(fault).toBeInstanceOf(RangeError);
        expect(fault).toMatchObject({
          code: "ERR_OPTION_RANGE",
          message: `${option} must be an integer from ${min} to ${max}, got ${value}`,
        });
      }
      for (const [value, shown] of [
        ["100", '"100"'],
        [null, "null"],
        [true, "true"],
        [100n, "100n"],
        [[], "an array"],
      ]) {
        const fault = faultOf({ ...other, [option]: value });
        expect(fault).toBeInstanceOf(TypeError);
        expect(fault).toMatchObject({
          code: "ERR_OPTION_TYPE",
          message: `${option} must be an integer from ${min} to ${max}, got ${shown}`,
        });
      }
    },
  );

  it("a chunk of an extraction is at least the trigger", () => {
    expect(construct({ extractionTriggerChars: 500, extractionChunkChars: 500 })).not.toThrow();
    const fault = faultOf({ extractionTriggerChars: 500, extractionChunkChars: 499 });
    expect(fault).toBeInstanceOf(RangeError);
    expect(fault).toMatchObject({
      code: "ERR_OPTION_RANGE",
      message: "extractionChunkChars must be at least extractionTriggerChars (500), got 499",
    });
  });

  it("there is no shared budget and no idle extraction unless told", () => {
    const { options } = new MemoryWorkspace().parts;
    expect(options.sharedAssetBudget).toBeUndefined();
    expect(options.idleExtraction).toBeUndefined();
  });
});

describe("the other options", () => {
  it("have their defaults", async () => {
    const { options } = new MemoryWorkspace().parts;
    expect(options).toMatchObject({
      locale: "zh-CN",
      enabled: true,
      structuredOutput: "auto",
      consolidate: false,
      review: false,
      logger: console,
    });
    expect(options.dir).toBe(join(process.cwd(), "ai"));
    expect(options.model).toBeUndefined();
    expect(options.store).toBeUndefined();
  });

  const store = new JsonMemoryStore({ dir: "never-made" });
  it.each<[option: string, value: unknown]>([
    ["dir", "anywhere"],
    ["model", new ScriptedModel("[]")],
    ["model", undefined],
    ["locale", "en"],
    ["enabled", false],
    ["idleExtraction", { afterMs: 0, minChars: 1 }],
    ["structuredOutput", "off"],
    ["store", store],
    ["logger", { warn() {}, error() {} }],
  ])("%s takes a right value", (option, value) => {
    expect(construct({ [option]: value })).not.toThrow();
  });

  it.each<[option: string, value: unknown, kind: typeof TypeError, code: string, named: string]>([
    ["dir", 5, TypeError, "ERR_OPTION_TYPE", "a non-empty string, got 5"],
    ["dir", "", RangeError, "ERR_OPTION_RANGE", 'a non-empty string, got ""'],
    ["model", "gpt", TypeError, "ERR_OPTION_TYPE", 'a chat model (an object with invoke), got "gpt"'],
    ["model", null, TypeError, "ERR_OPTION_TYPE", "a chat model"],
    ["locale", "fr", RangeError, "ERR_OPTION_RANGE", '"zh-CN" or "en", got "fr"'],
    ["locale", 1, TypeError, "ERR_OPTION_TYPE", '"zh-CN" or "en", got 1'],
    ["locale", "toString", RangeError, "ERR_OPTION_RANGE", '"zh-CN" or "en"'],
    ["enabled", "yes", TypeError, "ERR_OPTION_TYPE", 'true or false, got "yes"'],
    ["idleExtraction", true, TypeError, "ERR_OPTION_TYPE", "an object with afterMs and minChars"],
    ["consolidate", "yes", TypeError, "ERR_OPTION_TYPE", 'true or false, got "yes"'],
    ["review", 1, TypeError, "ERR_OPTION_TYPE", "true or false, got 1"],
    ["structuredOutput", "on", RangeError, "ERR_OPTION_RANGE", '"auto" or "off", got "on"'],
    [
      "store",
      {},
      TypeError,
      "ERR_OPTION_TYPE",
      "a MemoryStore (an object with memories, replaced, candidates, waiting",
    ],
    ["store", { ...store, memories: null }, TypeError, "ERR_OPTION_TYPE", "a MemoryStore"],
    ["store", { ...store }, TypeError, "ERR_OPTION_TYPE", "forUser, deleteUser"],
    ["logger", "console", TypeError, "ERR_OPTION_TYPE", "an object with warn and error"],
    ["logger", null, TypeError, "ERR_OPTION_TYPE", "an object with warn and error, got null"],
  ])("%s refuses %j by its name and what it takes", (option, value, kind, code, named) => {
    const fault = faultOf({ [option]: value });
    expect(fault).toBeInstanceOf(kind);
    expect(fault.code).toBe(code);
    expect(fault.message).toContain(`${option} must be ${named}`.slice(0, option.length + 8));
    expect(fault.message).toContain(named);
  });

  it("idleExtraction names the part that is wrong", () => {
    expect(faultOf({ idleExtraction: { afterMs: -1, minChars: 1 } })).toMatchObject({
      code: "ERR_OPTION_RANGE",
      message: expect.stringContaining("idleExtraction.afterMs must be an integer from 0"),
    });
    expect(faultOf({ idleExtraction: { afterMs: 1 } }).message).toContain("idleExtraction.minChars must be");
    expect(faultOf({ idleExtraction: { afterMs: 1, minChars: 1, minutes: 1 } })).toMatchObject({
      code: "ERR_OPTION_UNKNOWN",
      message: expect.stringContaining('"idleExtraction.minutes"'),
    });
  });

  it("an unknown option is refused by its name, with those that are known", () => {
    for (const name of ["limits", "Limit", "toString", "sessionId"]) {
      const fault = faultOf({ [name]: 5 });
      expect(fault).toBeInstanceOf(TypeError);
      expect(fault.code).toBe("ERR_OPTION_UNKNOWN");
      expect(fault.message).toContain(`unknown option "${name}"; known are dir, model, `);
    }
  });

  it("options that are no object are refused", () => {
    for (const options of [null, "./ai", 5, []]) expect(faultOf(options).code).toBe("ERR_OPTION_TYPE");
  });

  it("an option that is undefined is as one that is not there", () => {
    const { options } = new MemoryWorkspace({ limit: undefined, dir: undefined, logger: undefined }).parts;
    expect(options).toMatchObject({ limit: 100, logger: console });
  });
});

describe("construction", () => {
  it("touches no disk, nor does importing", async () => {
    const folder = await temporaryFolder();
    const { file, remove } = await bundle("src/index.ts");
    const script = `
      import fs from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      const { MemoryWorkspace, JsonMemoryStore } = await import(${JSON.stringify(file)});
      const touched = [];
      for (const name of ["mkdir", "open", "writeFile", "appendFile", "readFile", "stat", "readdir"]) {
        for (const [of, key] of [[fs, name], [fs, name + "Sync"], [fs.promises, name]]) {
          const original = of[key];
          of[key] = (...parts) => { touched.push(key); return original.apply(of, parts); };
        }
      }
      syncBuiltinESMExports();
      const workspace = new MemoryWorkspace({ dir: "ai" });
      workspace.forUser("one");
      new JsonMemoryStore({ dir: "other" });
      await new Promise((resolve) => setTimeout(resolve, 20));
      console.log(JSON.stringify(touched));
    `;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: folder,
      encoding: "utf8",
    });
    await remove();
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("keeps its folder when the app changes its working directory", async () => {
    const folder = await temporaryFolder();
    const { file, remove } = await bundle("src/index.ts");
    const script = `
      const { MemoryWorkspace } = await import(${JSON.stringify(file)});
      const workspace = new MemoryWorkspace({ dir: "ai" });
      process.chdir("/");
      await workspace.memories.add("User prefers pnpm.");
      await workspace.rules.directory();
      await workspace.settings.update({ aiMemoryLimit: 20 });
    `;
    spawnSync(process.execPath, ["--input-type=module", "-e", script], { cwd: folder });
    await remove();
    expect((await readdir(join(folder, "ai"))).sort()).toEqual(["memory", "rules", "settings.json"]);
  });

  it("lets a logger that fails, also later, break nothing", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    for (const warn of [
      () => {
        throw new Error("broken logger");
      },
      () => Promise.reject(new Error("broken logger")),
      undefined,
    ]) {
      const logger = { warn, error: warn } as unknown as CollectingLogger;
      const workspace = new MemoryWorkspace({ dir: await temporaryFolder(), logger });
      await workspace.recordTurn("s", [
        ["human", "hi"],
        ["ai", "hello"],
      ]);
    }
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
});
