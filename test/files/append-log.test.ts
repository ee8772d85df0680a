import nodeFs from "node:fs";
import fs, { type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { AppendLog, tryLock, withLock } from "../../src/files/index.js";
import { useTemporaryFolder } from "./temporary-folder.js";

interface Note {
  readonly entryId: string;
  readonly text: string;
}

const temporaryFolder = useTemporaryFolder();

function parseNote(value: unknown): Note | undefined {
  const note = value as Partial<Note> | null;
  if (typeof note?.entryId !== "string" || typeof note.text !== "string") return undefined;
  return { entryId: note.entryId, text: note.text };
}

async function emptyLog() {
  const path = join(await temporaryFolder(), "memory", "waiting.jsonl");
  return { path, log: new AppendLog(path, parseNote) };
}

/** A log whose file holds exactly this. */
async function logWith(content: string | Buffer) {
  const made = await emptyLog();
  await fs.mkdir(dirname(made.path));
  await fs.writeFile(made.path, content);
  return made;
}

const note = (entryId: string, text = `text of ${entryId}`): Note => ({ entryId, text });
const notes = (...entryIds: string[]) => entryIds.map((entryId) => note(entryId));
const line = (entryId: string) => `${JSON.stringify(note(entryId))}\n`;
const ids = (entries: readonly Note[]) => entries.map((entry) => entry.entryId).join(" ");
const idsOf = async (log: AppendLog<Note>) => ids(await log.read());

describe("an append log", () => {
  it("that has no file yet is empty", async () => {
    const { log, path } = await emptyLog();
    expect(await log.read()).toEqual([]);
    await log.append([]);
    await withLock(path, () => log.replace(() => true));
    await expect(fs.stat(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("gives back what was appended, in order, from files for their owner alone", async () => {
    const { log, path } = await emptyLog();
    await log.append([note("a", "行\n😀\u2028\ud800"), note("b")]);
    await log.append([note("c")]);
    expect(await log.read()).toEqual([note("a", "行\n😀\u2028\ud800"), note("b"), note("c")]);
    expect((await fs.stat(path)).mode & 0o777).toBe(0o600);
    expect((await fs.stat(dirname(path))).mode & 0o777).toBe(0o700);
    expect((await fs.readFile(path, "utf8")).split("\n")).toHaveLength(4);
  });

  it("keeps the order of calls that nobody waited for", async () => {
    const { log } = await emptyLog();
    const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
    await Promise.all(names.map((name) => log.append([note(name)])));
    expect(await idsOf(log)).toBe(names.join(" "));
  });

  it("writes all lines of one append at once", async () => {
    const { log } = await logWith(line("z"));
    const writes = await writesOf(() => log.append(notes("a", "b", "c")));
    expect(writes).toEqual([line("a") + line("b") + line("c")]);
  });

  it("counts an entry once, however often it was appended", async () => {
    const { log } = await emptyLog();
    await log.append(notes("a", "b"));
    await log.append(notes("b", "c"));
    expect(await idsOf(log)).toBe("a b c");
  });

  it("skips lines that are no entries and keeps the others", async () => {
    const bad = [
      "",
      "null",
      "[]",
      "{}",
      '{"entryId":1}',
      "words",
      `[${line("x").trim()}]`,
      "\0\0\0",
      '{"a":{"b":1}}',
    ];
    const { log } = await logWith(`${line("a")}${bad.join("\n")}\r\n${line("b")}`);
    expect(await idsOf(log)).toBe("a b");
  });

  it("takes a whole last line without line break", async () => {
    const { log, path } = await logWith(line("a") + line("b").trim());
    expect(await idsOf(log)).toBe("a b");
    const { position } = await log.scan();
    await log.append(notes("c"));
    expect(ids((await log.scan(position)).entries)).toBe("c");
    await withLock(path, () => log.replace(() => true));
    expect(await fs.readFile(path, "utf8")).toBe(line("a") + line("b") + line("c"));
  });

  it("lets timers have their turn while somebody appends all the time", async () => {
    const { log } = await logWith("");
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
    }, 1);
    for (let number = 0; !isOver && number < 100_000; number++) await log.append(notes(`n${number}`));
    clearTimeout(timer);
    expect(isOver).toBe(true);
  });

  it("opens nothing for what this process appended last, and reads what another did", async () => {
    const { log, path } = await logWith(line("a"));
    const { position } = await log.scan();
    await log.append(notes("b", "c"));
    const opening = vi.spyOn(nodeFs, "openSync");
    const own = await log.scan(position);
    expect(ids(own.entries)).toBe("b c");
    expect((await log.scan(own.position)).entries).toEqual([]);
    expect(opening).not.toHaveBeenCalled();
    opening.mockRestore();
    await log.append(notes("d"));
    await fs.appendFile(path, line("e"));
    const both = await log.scan(own.position);
    expect(ids(both.entries)).toBe("d e");
    await fs.appendFile(path, line("f"));
    await log.append(notes("g"));
    expect(ids((await log.scan(both.position)).entries)).toBe("f g");
  });

  it("mends the torn tail of a killed process with the next append", async () => {
    for (const torn of [
      '{"entryId":"t","te',
      '{"entryId":"t","text":"words',
      "{",
      Buffer.from('{"x":"用').subarray(0, 7),
    ]) {
      const { log, path } = await logWith(Buffer.concat([Buffer.from(line("a")), Buffer.from(torn)]));
      await log.append(notes("b"));
      expect(await idsOf(log)).toBe("a b");
      expect((await fs.readFile(path, "utf8")).endsWith(`\n${line("b")}`)).toBe(true);
    }
  });

  it("finds an entry that came right behind a torn piece, and takes no words for an entry", async () => {
    const forged = JSON.stringify(note("said", `see {"entryId":"forged","text":"x"}`));
    const { log } = await logWith(
      `${line("a").slice(0, 30)}${line("b")}${forged.slice(0, -1)}\n${line("c")}`,
    );
    expect(await idsOf(log)).toBe("b c");
  });

  it("refuses an append of which the disk took only a part, without its words, and mends it with the next", async () => {
    const { log } = await logWith(line("a"));
    const write = nodeFs.writeSync as (file: number, bytes: Uint8Array) => number;
    vi.spyOn(nodeFs, "writeSync").mockImplementationOnce((file, bytes) =>
      write(file, (bytes as unknown as Uint8Array).subarray(0, 25)),
    );
    const failure = await log.append(notes("b", "c")).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "ERR_WRITE_INCOMPLETE" });
    expect(String(failure)).not.toContain("text of");
    await log.append(notes("b", "c"));
    expect(await idsOf(log)).toBe("a b c");
  });

  it("goes on after an append that failed", async () => {
    const { log, path } = await emptyLog();
    await fs.mkdir(path, { recursive: true });
    await expect(log.append(notes("a"))).rejects.toMatchObject({ code: "EISDIR" });
    await fs.rmdir(path);
    await log.append(notes("b"));
    expect(await idsOf(log)).toBe("b");
  });

  it("writes the entry as it was when append was called", async () => {
    const { log } = await emptyLog();
    const entry = { entryId: "a", text: "before" };
    const appended = log.append([entry]);
    entry.text = "after";
    await appended;
    expect(await log.read()).toEqual([note("a", "before")]);
  });
});

describe("a scan of an append log", () => {
  it("gives only what is new since the position", async () => {
    const { log } = await emptyLog();
    const none = await log.scan();
    expect(none).toMatchObject({ entries: [], restarted: false });
    await log.append(notes("a", "b"));
    const first = await log.scan(none.position);
    expect([ids(first.entries), first.restarted]).toEqual(["a b", false]);
    await log.append(notes("b", "c"));
    const second = await log.scan(first.position);
    expect([ids(second.entries), second.restarted]).toEqual(["c", false]);
    expect((await log.scan(second.position)).entries).toEqual([]);
    expect(ids((await log.scan(first.position)).entries), "a position can be used again").toBe("c");
  });

  it("reads no more than what is new", async () => {
    const { log, path } = await logWith(
      Array.from({ length: 5000 }, (_, index) => line(`n${index}`)).join(""),
    );
    const { position } = await log.scan();
    await log.append(notes("new"));
    const spy = await spyOnReading(path);
    expect(ids((await log.scan(position)).entries)).toBe("new");
    const bytes = spy.mock.calls.reduce((sum, [, , length]) => sum + (length ?? 0), 0);
    expect(bytes).toBeLessThan(1000);
  });

  it("leaves a line that is still being written for the next one", async () => {
    const { log, path } = await logWith(line("a") + line("b").slice(0, 12));
    const first = await log.scan();
    expect(ids(first.entries)).toBe("a");
    await fs.appendFile(path, line("b").slice(12));
    const second = await log.scan(first.position);
    expect([ids(second.entries), second.restarted]).toEqual(["b", false]);
  });

  it("begins again when the log was replaced, cut or removed", async () => {
    const { log, path } = await emptyLog();
    await log.append(notes("a", "b", "c"));
    const { position } = await log.scan();
    await withLock(path, () => log.replace((entry) => entry.entryId !== "b"));
    const replaced = await log.scan(position);
    expect([ids(replaced.entries), replaced.restarted]).toEqual(["a c", true]);
    await fs.truncate(path, line("a").length);
    const cut = await log.scan(replaced.position);
    expect([ids(cut.entries), cut.restarted]).toEqual(["a", true]);
    await fs.rm(path);
    expect(await log.scan(cut.position)).toMatchObject({ entries: [], restarted: true });
  });

  it("begins again though another file of the same number and size stands there", async () => {
    const { log, path } = await logWith(line("a") + line("b"));
    const { position } = await log.scan();
    await fs.writeFile(path, line("c") + line("d") + line("e"));
    const scan = await log.scan(position);
    expect([ids(scan.entries), scan.restarted]).toEqual(["c d e", true]);
  });
});

describe("replacing an append log", () => {
  it("keeps the lines that are wanted, as they were, and drops what is no entry", async () => {
    const unknownKey = '{"entryId":"a", "text":"x", "later": [1]}\n';
    const { log, path } = await logWith(`${unknownKey}garbage\n${line("b")}${line("c")}${line("b")}{"torn`);
    await withLock(path, () => log.replace((entry) => entry.entryId !== "c"));
    expect(await fs.readFile(path, "utf8")).toBe(unknownKey + line("b"));
    expect(await fs.readdir(dirname(path))).toEqual(["waiting.jsonl"]);
    expect((await fs.stat(path)).mode & 0o777).toBe(0o600);
  });

  it("asks once for each entry, in order", async () => {
    const { log, path } = await logWith(line("a") + line("b") + line("a"));
    const asked: string[] = [];
    await withLock(path, () => log.replace(({ entryId }) => asked.push(entryId) < 0));
    expect(asked).toEqual(["a", "b"]);
    expect(await fs.readFile(path, "utf8")).toBe("");
  });

  it("takes along what was appended while it wrote", async () => {
    const { log, path } = await logWith(line("a") + line("b"));
    const other = new AppendLog(path, parseNote);
    const rename = fs.rename.bind(fs);
    vi.spyOn(fs, "rename").mockImplementationOnce(async (from, to) => {
      await other.append(notes("late"));
      await rename(from, to);
    });
    await withLock(path, () => log.replace((entry) => entry.entryId !== "a"));
    expect(await idsOf(log)).toBe("b late");
  });

  it("loses no append that came too late to be taken along: it is made again", async () => {
    const { log, path } = await logWith(line("a"));
    const other = new AppendLog(path, parseNote);
    const rename = fs.rename.bind(fs);
    let late: Promise<void> | undefined;
    let isAcknowledged = false;
    vi.spyOn(fs, "rename").mockImplementation(async (from, to) => {
      if (to === path) {
        late = other.append(notes("late")).then(() => {
          isAcknowledged = true;
        });
        await vi.waitFor(async () => expect(await fs.readFile(path, "utf8")).toContain("late"));
        expect(isAcknowledged, "in a file that is on its way out").toBe(false);
      }
      await rename(from, to);
    });
    await withLock(path, () => log.replace(() => true));
    await late;
    expect(await idsOf(log)).toBe("a late");
  });

  it("that fails leaves the log as it was, and appends that met it stay in it once", async () => {
    const { log, path } = await logWith(line("a"));
    const other = new AppendLog(path, parseNote);
    const rename = fs.rename.bind(fs);
    let late: Promise<void> | undefined;
    vi.spyOn(fs, "rename").mockImplementation(async (from, to) => {
      if (to !== path) return rename(from, to);
      late = other.append(notes("late"));
      await vi.waitFor(async () => expect(await fs.readFile(path, "utf8")).toContain("late"));
      throw Object.assign(new Error("EXDEV"), { code: "EXDEV" });
    });
    await expect(withLock(path, () => log.replace(() => false))).rejects.toMatchObject({ code: "EXDEV" });
    await late;
    expect(await fs.readFile(path, "utf8")).toBe(line("a") + line("late"));
    expect(await fs.readdir(dirname(path))).toEqual(["waiting.jsonl"]);
  });

  it("that fails leaves nothing that the next append would have to wait for", async () => {
    const { log, path } = await logWith(line("a"));
    const rename = fs.rename.bind(fs);
    vi.spyOn(fs, "rename").mockImplementation(async (from, to) => {
      if (to === path) throw Object.assign(new Error("EXDEV"), { code: "EXDEV" });
      await rename(from, to);
    });
    await expect(withLock(path, () => log.replace(() => false))).rejects.toMatchObject({ code: "EXDEV" });
    expect(await fs.readdir(dirname(path))).toEqual(["waiting.jsonl"]);
  });

  it("that never ends lets an append reject after 20 s, with a code", async () => {
    const { log, path } = await logWith(line("a"));
    await fs.writeFile(join(dirname(path), ".waiting.jsonl.next"), "");
    const lock = await tryLock(path);
    vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValueOnce(10_000).mockReturnValue(20_001);
    await expect(log.append(notes("b"))).rejects.toMatchObject({ code: "ERR_LOCKED" });
    vi.mocked(performance.now).mockRestore();
    await lock?.release();
    await log.append(notes("b"));
    expect(await idsOf(log)).toBe("a b");
  });

  it("left unfinished by a killed process holds no append up for long, and is removed", async () => {
    const { log, path } = await logWith(line("a"));
    await fs.writeFile(join(dirname(path), ".waiting.jsonl.next"), line("a"));
    await log.append(notes("b"));
    expect(await fs.readFile(path, "utf8")).toBe(line("a") + line("b"));
    expect(await fs.readdir(dirname(path))).toEqual(["waiting.jsonl"]);
  });

  it("is tried again where a rename is refused for a moment", async () => {
    const { log, path } = await logWith(line("a") + line("b"));
    vi.spyOn(fs, "rename").mockRejectedValueOnce(Object.assign(new Error("EPERM"), { code: "EPERM" }));
    await withLock(path, () => log.replace((entry) => entry.entryId === "b"));
    expect(await idsOf(log)).toBe("b");
  });
});

type Method = (this: FileHandle, bytes: Buffer, ...rest: number[]) => Promise<unknown>;

/** A spy on the reading that all open files share. */
async function spyOnReading(path: string) {
  const file = await fs.open(path, "r");
  await file.close();
  return vi.spyOn(Object.getPrototypeOf(file) as { read: Method }, "read");
}

async function writesOf(work: () => Promise<void>): Promise<string[]> {
  const spy = vi.spyOn(nodeFs, "writeSync");
  await work();
  return spy.mock.calls.map(([, bytes]) => String(bytes));
}
