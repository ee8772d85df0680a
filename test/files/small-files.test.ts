import type { BigIntStats, Stats } from "node:fs";
import fs from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { CachedFile, moveAside, readText, removeFile } from "../../src/files/index.js";
import { useTemporaryFolder } from "./temporary-folder.js";

const temporaryFolder = useTemporaryFolder();

describe("reading a text", () => {
  it("gives it without byte order mark", async () => {
    const path = join(await temporaryFolder(), "memory.json");
    await fs.writeFile(path, "\uFEFF[]\uFEFF");
    expect(await readText(path)).toBe("[]\uFEFF");
    await fs.writeFile(path, "");
    expect(await readText(path)).toBe("");
  });

  it("gives nothing where there is no file or folder, and rejects on any other fault", async () => {
    const folder = await temporaryFolder();
    await fs.writeFile(join(folder, "file"), "");
    expect(await readText(join(folder, "none"))).toBeUndefined();
    expect(await readText(join(folder, "none", "none"))).toBeUndefined();
    expect(await readText(join(folder, "file", "none"))).toBeUndefined();
    await expect(readText(folder)).rejects.toMatchObject({ code: "EISDIR" });
  });
});

describe("moving aside", () => {
  const now = Date.UTC(2026, 11, 1, 13, 40, 0, 123);

  it("gives a name with the time, and never overwrites an earlier one", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "memory.json");
    const names: string[] = [];
    for (const text of ["first", "second", "third"]) {
      await fs.writeFile(path, text);
      names.push(await moveAside(path, now));
    }
    const stem = `${path}.corrupt-20261201T134000123Z`;
    expect(names).toEqual([stem, `${stem}-1`, `${stem}-2`]);
    expect(await Promise.all(names.map(readText))).toEqual(["first", "second", "third"]);
    expect(await readText(path)).toBeUndefined();
  });

  it("rejects where there is no file, or where it is refused, and reserves no name then", async () => {
    const folder = await temporaryFolder();
    await expect(moveAside(join(folder, "none"), now)).rejects.toMatchObject({ code: "ENOENT" });
    await fs.writeFile(join(folder, "file"), "x");
    vi.spyOn(fs, "rename").mockRejectedValue(Object.assign(new Error("EXDEV"), { code: "EXDEV" }));
    await expect(moveAside(join(folder, "file"), now)).rejects.toMatchObject({ code: "EXDEV" });
    expect(await fs.readdir(folder)).toEqual(["file"]);
  });
});

describe("removing a file", () => {
  it("says whether there was one", async () => {
    const folder = await temporaryFolder();
    await fs.writeFile(join(folder, "file"), "x");
    expect(await removeFile(join(folder, "file"))).toBe(true);
    expect(await removeFile(join(folder, "file"))).toBe(false);
    await expect(removeFile(folder)).rejects.toThrow();
  });
});

describe("a cached file", () => {
  async function counted(parse: (text: string) => unknown = (text) => text) {
    const path = join(await temporaryFolder(), "settings.json");
    const parser = vi.fn(parse);
    return { path, parser, file: new CachedFile(path, parser) };
  }

  it("is parsed again only when it has changed", async () => {
    const { path, parser, file } = await counted((text) => ({ text }));
    await fs.writeFile(path, "one");
    await vi.waitFor(async () => expect(await file.read()).toBe(await file.read()), { timeout: 10_000 });
    const calls = parser.mock.calls.length;
    const value = await file.read();
    expect(await file.read()).toBe(value);
    expect(parser).toHaveBeenCalledTimes(calls);
    await fs.writeFile(path, "two");
    expect(await file.read()).toEqual({ text: "two" });
  });

  it("that has just changed is read each time, though on a coarse file system it looks the same", async () => {
    const { path, file } = await counted();
    await fs.writeFile(path, "one");
    const stats = await fs.stat(path, { bigint: true });
    const time = BigInt(Date.now() - 2_000) * 1_000_000n;
    vi.spyOn(Date, "now").mockReturnValue(Date.now());
    vi.spyOn(fs, "stat").mockResolvedValue({ ...stats, mtimeNs: time, ctimeNs: time } as BigIntStats & Stats);
    for (const text of ["one", "two", "six"]) {
      await fs.writeFile(path, text);
      expect(await file.read()).toBe(text);
    }
  });

  it("is nothing where there is no file, and is there when it comes", async () => {
    const { path, parser, file } = await counted();
    expect(await file.read()).toBeUndefined();
    expect(parser).not.toHaveBeenCalled();
    await fs.writeFile(path, "one");
    expect(await file.read()).toBe("one");
    await fs.rm(path);
    expect(await file.read()).toBeUndefined();
  });

  it("rejects with what its parser throws, each time anew", async () => {
    const { path, file } = await counted(JSON.parse);
    await fs.writeFile(path, "{");
    await expect(file.read()).rejects.toThrow(SyntaxError);
    await expect(file.read()).rejects.toThrow(SyntaxError);
    await fs.writeFile(path, "[1]");
    expect(await file.read()).toEqual([1]);
  });
});
