import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { JsonMemoryStore } from "../../src/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { describeMemoryStore } from "./store-contract.js";

describeMemoryStore("JsonMemoryStore", async () => {
  const dir = join(await temporaryFolder(), "ai");
  return { open: () => new JsonMemoryStore({ dir }) };
});

describe("JsonMemoryStore: options", () => {
  it("refuses a wrong option at construction and touches no disk", async () => {
    const folder = await temporaryFolder();
    const construct = (options: unknown) => () => new JsonMemoryStore(options as { dir: string });
    const code = (value: string) => expect.objectContaining({ code: value });
    expect(construct(undefined)).toThrow(code("ERR_OPTION_TYPE"));
    expect(construct({})).toThrow("dir must be a non-empty string, got undefined");
    expect(construct({ dir: "" })).toThrow(code("ERR_OPTION_RANGE"));
    expect(construct({ dir: folder, logger: 5 })).toThrow(code("ERR_OPTION_TYPE"));
    expect(construct({ dir: folder, now: 5 })).toThrow("now must be");
    expect(construct({ dir: folder, path: "x" })).toThrow('unknown option "path"');
    expect(construct({ dir: join(folder, "ai") })).not.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });

  it("keeps its folder when the app changes its working directory", async () => {
    const folder = await temporaryFolder();
    const cwd = vi.spyOn(process, "cwd").mockReturnValue(folder);
    const store = new JsonMemoryStore({ dir: "ai" });
    cwd.mockReturnValue(join(folder, "elsewhere"));
    await store.settings.change({ aiMemoryEnabled: false });
    expect(await readdir(folder)).toEqual(["ai"]);
  });
});
