import nodeFs from "node:fs";
import fs from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { MemoryError } from "../../src/errors.js";
import { readText, withLock, writeAtomic } from "../../src/files/index.js";
import { useChild } from "./child-process.js";
import { useTemporaryFolder } from "./temporary-folder.js";

const temporaryFolder = useTemporaryFolder();
const child = useChild();

const refusal = (code: string) => Object.assign(new Error(code), { code });

async function fileWith(text: string): Promise<{ folder: string; path: string }> {
  const folder = await temporaryFolder();
  const path = join(folder, "memory.json");
  await fs.writeFile(path, text);
  return { folder, path };
}

describe("an atomic write", () => {
  it("makes file and folders for their owner alone", async () => {
    const path = join(await temporaryFolder(), "ai", "memory", "memory.json");
    await writeAtomic(path, "[]");
    expect(await fs.readFile(path, "utf8")).toBe("[]");
    expect((await fs.stat(path)).mode & 0o777).toBe(0o600);
    expect((await fs.stat(dirname(path))).mode & 0o777).toBe(0o700);
    expect(await fs.readdir(dirname(path))).toEqual(["memory.json"]);
  });

  it("takes any text, also a lone surrogate, whose bytes are counted as they are written", async () => {
    const { path } = await fileWith("old");
    for (const text of ["", "用户偏好使用 zsh 😀", "a\ud800b"]) {
      await writeAtomic(path, text);
      expect(await fs.readFile(path)).toEqual(Buffer.from(text));
    }
  });

  it("flushes before it renames, and only ever renames beside the file", async () => {
    const { path } = await fileWith("old");
    const order: string[] = [];
    const sync = nodeFs.fsync.bind(nodeFs);
    vi.spyOn(nodeFs, "fsync").mockImplementation(((file: number, done: nodeFs.NoParamCallback) => {
      order.push("flush");
      sync(file, done);
    }) as typeof nodeFs.fsync);
    const rename = fs.rename.bind(fs);
    vi.spyOn(fs, "rename").mockImplementation(async (from, to) => {
      order.push(`rename ${basename(String(from))}`);
      expect(dirname(String(from))).toBe(dirname(path));
      await rename(from, to);
    });
    await writeAtomic(path, "new");
    expect(order).toEqual(["flush", "rename .memory.json.next"]);
  });

  it.each(["EPERM", "EBUSY", "EACCES"])("saves though a rename is refused a few times (%s)", async (code) => {
    const { folder, path } = await fileWith("old");
    const rename = vi.spyOn(fs, "rename");
    for (let count = 0; count < 3; count++) rename.mockRejectedValueOnce(refusal(code));
    await writeAtomic(path, "new");
    expect(await readText(path)).toBe("new");
    expect(await fs.readdir(folder)).toEqual(["memory.json"]);
  });

  it.each(["EPERM", "EXDEV", "EROFS"])(
    "leaves the old file and nothing else where it is always refused (%s)",
    async (code) => {
      const { folder, path } = await fileWith("old");
      vi.spyOn(fs, "rename").mockRejectedValue(refusal(code));
      await expect(writeAtomic(path, "new")).rejects.toMatchObject({ code });
      expect(await readText(path)).toBe("old");
      expect(await fs.readdir(folder)).toEqual(["memory.json"]);
    },
  );

  it("refuses what the disk took only a part of, without an error of its own", async () => {
    const { folder, path } = await fileWith("old");
    const write = nodeFs.write.bind(nodeFs) as (...parts: unknown[]) => void;
    vi.spyOn(nodeFs, "write").mockImplementation(((file: number, text: string, ...rest: unknown[]) =>
      write(file, text.slice(0, 5), ...rest)) as unknown as typeof nodeFs.write);
    const failure = await writeAtomic(path, "some longer text").catch((error: unknown) => error);
    expect(MemoryError.isInstance(failure) && failure.code).toBe("ERR_WRITE_INCOMPLETE");
    expect(String(failure)).not.toContain("some longer");
    expect(await readText(path)).toBe("old");
    expect(await fs.readdir(folder)).toEqual(["memory.json"]);
  });

  it("never costs the old file in a process that may write no more than 40 KB, and works again with room", async () => {
    const { folder, path } = await fileWith("old");
    const limited = child("write-beyond-limit", path, "100000", "ulimit -f 40;");
    expect(await limited.ended()).toBe(0);
    expect(limited.lines).toEqual(["ERR_WRITE_INCOMPLETE"]);
    expect(await readText(path)).toBe("old");
    expect(await fs.readdir(folder)).toEqual(["memory.json"]);
    await withLock(path, () => writeAtomic(path, "n".repeat(100_000)));
    expect(await readText(path)).toHaveLength(100_000);
  });

  it("rejects where a folder stands in the way, and leaves no temporary", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "memory.json");
    await fs.mkdir(path);
    await expect(writeAtomic(path, "new")).rejects.toThrow();
    expect(await fs.readdir(folder)).toEqual(["memory.json"]);
    const below = join(folder, "file", "memory.json");
    await fs.writeFile(join(folder, "file"), "");
    await expect(writeAtomic(below, "new")).rejects.toThrow();
  });

  it("keeps a link a link and replaces what it points to", async () => {
    const { path } = await fileWith("old");
    const link = join(await temporaryFolder(), "memory.json");
    await fs.symlink(path, link);
    await writeAtomic(link, "new");
    expect(await fs.readFile(path, "utf8")).toBe("new");
    expect((await fs.lstat(link)).isSymbolicLink()).toBe(true);
  });

  it("is whole for every reader while a writer is killed again and again, and sweeps what that left", async () => {
    const { folder, path } = await fileWith(JSON.stringify({ count: -1, text: "" }));
    for (let round = 0; round < 5; round++) {
      const writer = child("write-for-ever", path);
      await writer.started();
      for (let read = 0; read < 20; read++)
        expect(JSON.parse((await readText(path)) ?? "")).toHaveProperty("count");
      await writer.kill();
      await fs.rm(join(folder, ".memory.json.lock"), { recursive: true, force: true });
    }
    const longAgo = new Date(Date.now() - 60_000);
    for (const name of await fs.readdir(folder)) await fs.utimes(join(folder, name), longAgo, longAgo);
    await withLock(path, () => writeAtomic(path, "{}"));
    expect(await fs.readdir(folder)).toEqual(["memory.json"]);
  });

  it("sweeps old temporaries of ours, and neither a live one nor anything of the user's", async () => {
    const { folder, path } = await fileWith("old");
    const old = [
      "memory.json.123.tmp",
      ".memory.json.123.tmp",
      ".memory.json.next",
      ".memory.json.next.991",
      ".chat.json.next.7",
      ".waiting.jsonl.rewrite.tmp",
    ];
    const stay = [
      "memory.json.bak",
      "notes.tmp",
      ".hidden.next",
      "memory.json.corrupt-20260101T000000000Z",
      "x.md.tmp",
    ];
    const live = [".memory.json.next.5", "memory.json.9.tmp"];
    for (const name of [...old, ...stay, ...live]) await fs.writeFile(join(folder, name), "x");
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
    for (const name of [...old, ...stay]) await fs.utimes(join(folder, name), twoDaysAgo, twoDaysAgo);
    await writeAtomic(path, "new");
    expect(await fs.readdir(folder)).toEqual([...stay, ...live, "memory.json"].sort());
  });
});
