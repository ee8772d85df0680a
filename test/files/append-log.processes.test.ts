import fs from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { AppendLog, withLock } from "../../src/files/index.js";
import { useChild } from "./child-process.js";
import { useTemporaryFolder } from "./temporary-folder.js";

interface Note {
  readonly entryId: string;
  readonly text: string;
}

const temporaryFolder = useTemporaryFolder();
const child = useChild();

async function newLog() {
  const path = join(await temporaryFolder(), "waiting.jsonl");
  return { path, log: new AppendLog<Note>(path, (value) => value as Note) };
}

const idsOf = async (log: AppendLog<Note>) => (await log.read()).map((entry) => entry.entryId);

describe("an append log of several processes", () => {
  it("loses nothing acknowledged while one of them takes entries out again and again", async () => {
    const { path, log } = await newLog();
    const writers = ["a", "b", "c"].map((name) => child("append", path, name));
    await Promise.all(writers.map((writer) => writer.started()));
    const taken = new Set<string>();
    for (let round = 0; round < 300; round++) {
      const takenNow: string[] = [];
      await withLock(path, () =>
        log.replace(({ entryId }) => {
          if (Number(entryId.slice(2)) % 3 === round % 3) return true;
          takenNow.push(entryId);
          return false;
        }),
      );
      for (const entryId of takenNow) taken.add(entryId);
    }
    await Promise.all(writers.map((writer) => writer.kill()));
    const left = new Set(await idsOf(log));
    const acknowledged = writers.flatMap((writer) => writer.lines);
    expect(acknowledged.filter((entryId) => !taken.has(entryId) && !left.has(entryId))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(300);
  });

  it("loses nothing acknowledged while the one that replaces it is killed again and again", async () => {
    const { path, log } = await newLog();
    const acknowledged: string[] = [];
    for (let round = 0; round < 8; round++) {
      const replacer = child("replace-for-ever", path);
      const killed = replacer.started().then(() => replacer.kill());
      let running = true;
      void killed.finally(() => {
        running = false;
      });
      for (let count = 0; running; count++) {
        const entryId = `${round}-${count}`;
        await log.append([{ entryId, text: "words" }]);
        acknowledged.push(entryId);
      }
      await killed;
      // A dead process' lock is waited out in the lock's own test; here it would be 5 s a round.
      await fs.rm(join(dirname(path), ".waiting.jsonl.lock"), { recursive: true, force: true });
    }
    await log.append([{ entryId: "last", text: "words" }]);
    expect(await idsOf(log)).toEqual([...acknowledged, "last"]);
    const names = await fs.readdir(dirname(path));
    expect(names.filter((name) => name !== "waiting.jsonl" && name !== ".waiting.jsonl.rewrite.tmp")).toEqual(
      [],
    );
  });

  it("is readable after each kill of a process that appends", async () => {
    const { path, log } = await newLog();
    const acknowledged: string[] = [];
    for (let round = 0; round < 8; round++) {
      const writer = child("append", path, `${round}`);
      await writer.started();
      await writer.kill();
      acknowledged.push(...writer.lines);
      const found = new Set(await idsOf(log));
      expect(acknowledged.filter((entryId) => !found.has(entryId))).toEqual([]);
    }
  });

  it("refuses what doesn't fit on a full disk, keeps every earlier entry, and goes on with room", async () => {
    const { path, log } = await newLog();
    const limited = child("append-beyond-limit", path, "", "ulimit -f 8;");
    expect(await limited.ended()).toBe(0);
    expect(limited.lines.at(-1)).toMatch(/ERR_WRITE_INCOMPLETE$/);
    const written = limited.lines.filter((line) => line.endsWith("written")).length;
    expect(written).toBeGreaterThan(3);
    const before = await idsOf(log);
    expect(before).toEqual(Array.from({ length: written }, (_, index) => `limit-${index}`));
    await log.append([{ entryId: "with room", text: "" }]);
    expect(await idsOf(log)).toEqual([...before, "with room"]);
  });
});
