import type nodeFs from "node:fs";
import fs from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { readText, tryLock, withLock, writeAtomic } from "../../src/files/index.js";
import { lockFileSystem } from "../../src/files/lock-folder.js";
import { useChild } from "./child-process.js";
import { useTemporaryFolder } from "./temporary-folder.js";

const temporaryFolder = useTemporaryFolder();
const child = useChild();

describe("a lock", () => {
  it("lets one work of this process in at a time, in the order of the calls", async () => {
    const path = join(await temporaryFolder(), "memory.json");
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} in`);
      await new Promise(setImmediate);
      seen.push(`${name} out`);
      return name;
    };
    const results = await Promise.all(["a", "b", "c"].map((name) => withLock(path, work(name))));
    expect(results).toEqual(["a", "b", "c"]);
    expect(seen).toEqual(["a in", "a out", "b in", "b out", "c in", "c out"]);
  });

  it("goes on after a work that failed, and leaves nothing behind", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "memory.json");
    const failing = withLock(path, () => Promise.reject(new Error("no")));
    const next = withLock(path, async () => "yes");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("yes");
    expect(await fs.readdir(folder)).toEqual([]);
  });

  it("loses no read-modify-write of several processes", async () => {
    const path = join(await temporaryFolder(), "count.json");
    const children = [1, 2, 3].map(() => child("add", path, "25"));
    for (let count = 0; count < 25; count++) {
      await withLock(path, async () => writeAtomic(path, String(Number((await readText(path)) ?? "0") + 1)));
    }
    expect(await Promise.all(children.map((one) => one.ended()))).toEqual([0, 0, 0]);
    expect(await readText(path)).toBe("100");
  });

  it("of a killed process runs out within seconds", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "memory.json");
    const holder = child("hold", path);
    await holder.started();
    expect(await tryLock(path)).toBeUndefined();
    await holder.kill();
    expect(await fs.readdir(folder)).toEqual([".memory.json.lock"]);
    expect(await withLock(path, async () => "mine")).toBe("mine");
    expect(await fs.readdir(folder)).toEqual([]);
  });

  it("that is stale is taken over by one of many, though all see it at once", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "memory.json");
    const stale = join(folder, ".memory.json.lock");
    for (let round = 0; round < 20; round++) {
      await fs.mkdir(stale);
      await fs.utimes(stale, new Date(0), new Date(0));
      const locks = (await Promise.all(Array.from({ length: 8 }, () => tryLock(path)))).filter(Boolean);
      expect(locks.length).toBeLessThanOrEqual(1);
      for (const lock of locks) await lock?.release();
      await fs.rm(stale, { recursive: true, force: true });
    }
  });

  it("that was stale and has just been taken over is left to its new holder", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "memory.json");
    const stale = join(folder, ".memory.json.lock");
    await fs.mkdir(stale);
    await fs.utimes(stale, new Date(0), new Date(0));
    const mkdir = fs.mkdir.bind(fs);
    vi.spyOn(fs, "mkdir").mockImplementationOnce(async (guard): Promise<undefined> => {
      const now = new Date();
      await fs.utimes(stale, now, now);
      await mkdir(guard);
    });
    expect(await tryLock(path)).toBeUndefined();
    expect(await fs.readdir(folder)).toEqual([".memory.json.lock"]);
  });

  it("that another keeps for 20 s is given up, with a code", async () => {
    const path = join(await temporaryFolder(), "memory.json");
    const lock = await tryLock(path);
    vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValueOnce(10_000).mockReturnValue(20_001);
    await expect(withLock(path, async () => "never")).rejects.toMatchObject({ code: "ERR_LOCKED" });
    vi.mocked(performance.now).mockRestore();
    await lock?.release();
    expect(await withLock(path, async () => "mine")).toBe("mine");
  });

  it("with a time far in the future, from before the clock was set back, holds nobody up", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "memory.json");
    const future = new Date(Date.now() + 3_600_000);
    await fs.mkdir(join(folder, ".memory.json.lock"));
    await fs.utimes(join(folder, ".memory.json.lock"), future, future);
    expect(await withLock(path, async () => "mine")).toBe("mine");
  });

  it("makes the folder of the file, for its owner alone", async () => {
    const folder = join(await temporaryFolder(), "ai", "memory");
    await withLock(join(folder, "memory.json"), async () => {});
    expect((await fs.stat(folder)).mode & 0o777).toBe(0o700);
    expect((await fs.stat(join(folder, ".."))).mode & 0o777).toBe(0o700);
  });

  it("tried for is refused while this process holds it, and free afterwards", async () => {
    const path = join(await temporaryFolder(), "memory.json");
    const lock = await tryLock(path);
    expect(lock).toBeDefined();
    expect(await tryLock(path)).toBeUndefined();
    await lock?.release();
    await lock?.release();
    await withLock(path, async () => expect(await tryLock(path)).toBeUndefined());
    const again = await tryLock(path);
    expect(again).toBeDefined();
    await again?.release();
  });

  it("is waited for as long as another part of this process has it", async () => {
    const path = join(await temporaryFolder(), "memory.json");
    const lock = await tryLock(path);
    const attempts = vi.spyOn(lockFileSystem, "mkdir");
    let inside = false;
    const waiting = withLock(path, async () => {
      inside = true;
    });
    await vi.waitFor(() => expect(attempts.mock.calls.length).toBeGreaterThan(2), { timeout: 10_000 });
    expect(inside).toBe(false);
    await lock?.release();
    await waiting;
    expect(inside).toBe(true);
  });

  it("holds no process open", async () => {
    const path = join(await temporaryFolder(), "memory.json");
    const ending = child("hold-and-end", path);
    expect(await ending.ended()).toBe(0);
    expect(ending.lines).toEqual(["held"]);
  });

  it.each(["EACCES", "EROFS", "ENOSPC"])(
    "that the file system refuses (%s) rejects with its error",
    async (code) => {
      const path = join(await temporaryFolder(), "memory.json");
      vi.spyOn(lockFileSystem, "mkdir").mockImplementation(((
        _path: string,
        callback: (error: NodeJS.ErrnoException) => void,
      ) => callback(Object.assign(new Error(code), { code }))) as typeof nodeFs.mkdir);
      await expect(withLock(path, async () => "never")).rejects.toMatchObject({ code });
      await expect(tryLock(path)).rejects.toMatchObject({ code });
    },
  );

  it("that was lost while the process was suspended lets nothing newer be overwritten", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "memory.json");
    const lockFolder = join(folder, ".memory.json.lock");
    await withLock(path, () => writeAtomic(path, "old"));
    const slept = withLock(path, async () => {
      // What another process does to a lock that has not been renewed for 5 s; so its own has a later time.
      const later = new Date(Date.now() + 1_000);
      await fs.rmdir(lockFolder);
      await fs.mkdir(lockFolder);
      await fs.utimes(lockFolder, later, later);
      await fs.writeFile(path, "new");
      await writeAtomic(path, "from before the sleep");
    });
    await expect(slept).rejects.toMatchObject({ code: "ERR_LOCKED" });
    expect(await readText(path)).toBe("new");
    expect(await fs.readdir(folder), "the other's lock stays").toContain(".memory.json.lock");
  });
});
