import fs from "node:fs";
import { chmod, chown, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { fact, longTalk, makeWorld } from "../extraction/world.js";
import { useChild } from "../files/child-process.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { asNobody, fill, inContainer, mayBecomeNobody, mayMount, openTo, smallDisk } from "./real-disk.js";

const start = useChild("test/faults/child.ts");

const stored = async (dir: string) =>
  (JSON.parse(await readFile(join(dir, "memory", "memory.json"), "utf8")) as { content: string }[]).map(
    ({ content }) => content,
  );

describe.runIf(mayMount)("a disk that is really full", () => {
  it("refuses what doesn't fit with a code, and every earlier fact is there", async () => {
    const { dir, remount } = await smallDisk("160k");
    const child = start("add-until-refused", dir);
    expect(await child.ended()).toBe(0);
    expect(child.lines.at(-1)).toMatch(/^refused (?:ENOSPC|ERR_WRITE_INCOMPLETE)$/);
    const added = child.lines.filter((line) => line.startsWith("added")).length;
    expect(added).toBeGreaterThan(20);
    expect(await stored(dir)).toHaveLength(added);
    expect((await readdir(join(dir, "memory"))).filter((name) => name.includes("corrupt"))).toEqual([]);

    await remount("size=1m");
    await new MemoryWorkspace({ dir, limit: 1000, logger: new CollectingLogger() }).memories.add("with room");
    expect(await stored(dir)).toHaveLength(added + 1);
  });

  it("stops no conversation; what could not be written is written with the next turn", async () => {
    const { dir } = await smallDisk("256k");
    const world = await makeWorld({ dir, replies: [fact("Uses zsh")] });
    await world.workspace.memories.add("Likes tea");
    await fill(join(dir, "filler"));
    for (let turn = 0; turn < 5; turn++) {
      await world.say(`turn ${turn} ${longTalk}`, { session: `s${turn}` });
      expect((await world.workspace.assembleContext()).text).toContain("Likes tea");
    }
    await expect(world.workspace.memories.add("no room for this")).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:ENOSPC|ERR_WRITE_INCOMPLETE)$/),
    });
    expect(await stored(dir)).toEqual(["Likes tea"]);
    expect(world.model.requests).toHaveLength(0);
    expect(world.logger.warnings.filter((line) => line.includes("could not be queued"))).toHaveLength(1);

    await rm(join(dir, "filler"));
    await world.say("room again");
    await world.workspace.extractNow();
    expect(await world.contents()).toEqual(["Likes tea", "Uses zsh"]);
    const sent = world.model.prompts.join("\n");
    for (let turn = 0; turn < 5; turn++) expect(sent).toContain(`turn ${turn} `);
  });

  it("what was learned meanwhile is kept and saved later, without a second request", async () => {
    const { dir } = await smallDisk("256k");
    const world = await makeWorld({
      dir,
      replies: [
        async () => {
          await fill(join(dir, "filler"));
          return fact("Uses zsh");
        },
      ],
    });
    await world.say(longTalk);
    expect(world.logger.errors).toEqual([expect.stringMatching(/could not be saved \((?:ENOSPC|ERR_)/)]);
    await rm(join(dir, "filler"));
    await world.say("room again");
    expect(await world.contents()).toEqual(["Uses zsh"]);
    expect(world.model.requests).toHaveLength(1);
  });

  it("that turns read-only and back stops nothing either", async () => {
    const { dir, remount } = await smallDisk("1m");
    const world = await makeWorld({ dir, replies: [fact("Uses zsh")] });
    await world.workspace.memories.add("Likes tea");
    await remount("ro");
    for (let turn = 0; turn < 3; turn++) await world.say(`turn ${turn} ${longTalk}`);
    expect((await world.workspace.assembleContext()).text).toContain("Likes tea");
    await expect(world.workspace.memories.add("refused")).rejects.toMatchObject({ code: "EROFS" });
    expect(new Set(world.logger.warnings).size).toBe(world.logger.warnings.length);
    await remount("rw");
    await world.say("writable again");
    expect(await world.contents()).toEqual(["Likes tea", "Uses zsh"]);
    expect(await world.workspace.waiting.count()).toMatchObject({ messages: 0 });
  });
});

describe.runIf(mayBecomeNobody)("another user's folder", () => {
  it("that may only be read stops no conversation and costs no request", async () => {
    const dir = await temporaryFolder();
    await new MemoryWorkspace({ dir, logger: new CollectingLogger() }).memories.add("Likes tea");
    for (const path of [dir, join(dir, "memory")]) await openTo(path);
    await chmod(join(dir, "memory", "memory.json"), 0o644);
    const child = start("converse", dir, "", asNobody);
    expect(await child.ended()).toBe(0);
    expect(child.lines).toContain("user 65534");
    expect(
      child.lines.filter((line) => line.startsWith("context") && line.includes("Likes tea")),
    ).toHaveLength(3);
    expect(child.lines.filter((line) => line.startsWith("done record"))).toHaveLength(3);
    expect(child.lines).toContain("refused EACCES");
    expect(child.lines.filter((line) => line.startsWith("sent"))).toEqual([]);
    const warnings = child.lines.filter((line) => line.startsWith("warning"));
    expect(new Set(warnings).size).toBe(warnings.length);
    expect(await stored(dir)).toEqual(["Likes tea"]);
  });

  it("whose memory.json may not be read costs nothing of it", async () => {
    const dir = await temporaryFolder();
    await new MemoryWorkspace({ dir, logger: new CollectingLogger() }).memories.add("Likes tea");
    const file = join(dir, "memory", "memory.json");
    for (const path of [dir, join(dir, "memory")]) {
      await chown(path, 65_534, 65_534);
    }
    await chmod(file, 0o000);
    const child = start("converse", dir, "", asNobody);
    expect(await child.ended()).toBe(0);
    expect(child.lines.filter((line) => line.startsWith("done record"))).toHaveLength(3);
    expect(child.lines).toContain("refused EACCES");
    expect(child.lines.filter((line) => line.startsWith("sent"))).toEqual([]);
    expect(child.lines.join("\n")).toContain("memories can't be read (EACCES)");
    expect(await stored(dir)).toEqual(["Likes tea"]);
  });
});

it("a file system without hard links is enough", async () => {
  const refused = () => {
    throw Object.assign(new Error("EPERM: no hard links"), { code: "EPERM" });
  };
  const spies = [
    vi.spyOn(fs, "link").mockImplementation(refused),
    vi.spyOn(fs, "linkSync").mockImplementation(refused),
    vi.spyOn(fs.promises, "link").mockImplementation(refused),
  ];
  const world = await makeWorld({ replies: [fact("Uses zsh")] });
  await writeFile(join(world.dir, "settings.json"), "not JSON");
  await world.workspace.settings.update({ aiMemoryLimit: 20 });
  const { id } = await world.workspace.memories.add("Likes tea");
  await world.say(longTalk);
  await world.workspace.memories.remove(id);
  expect(await world.contents()).toEqual(["Uses zsh"]);
  expect(await world.workspace.sessions.remove("s1")).toBe(true);
  expect(await world.workspace.memories.clear()).toBe(1);
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});

it("two containers with one process id on one volume, their clocks at one moment, lose nothing of each other", async () => {
  const dir = await temporaryFolder();
  const children = ["left", "right"].map((name) => start("contain", dir, name, inContainer));
  expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0]);
  expect(children.flatMap(({ lines }) => lines)).toEqual([]);
  const contents = await stored(dir);
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  expect(contents.filter((content) => content.startsWith("left"))).toEqual(numbers.map((n) => `left ${n}`));
  expect(contents.filter((content) => content.startsWith("right"))).toEqual(numbers.map((n) => `right ${n}`));
  expect((await readdir(join(dir, "memory"))).filter((name) => name.includes("next"))).toEqual([]);
});

it("folders where files should be are refused with a code, and the conversation goes on", async () => {
  const world = await makeWorld({ replies: [fact("Uses zsh")] });
  for (const path of ["memory/memory.json", "memory/extraction.json", "chats/s1.json", "settings.json"]) {
    await mkdir(join(world.dir, path, "in the way"), { recursive: true });
  }
  for (let turn = 0; turn < 3; turn++) await world.say(`turn ${turn} ${longTalk}`);
  await expect(world.workspace.memories.add("refused")).rejects.toMatchObject({ code: expect.any(String) });
  expect((await world.workspace.assembleContext({ sessionId: "s1" })).text).toBe("");
  for (const path of ["memory/memory.json", "memory/extraction.json", "chats/s1.json", "settings.json"]) {
    await rm(join(world.dir, path), { recursive: true });
  }
  await world.say("free again");
  await world.workspace.extractNow();
  expect(await world.contents()).toEqual(["Uses zsh"]);
  expect(await world.workspace.waiting.count()).toMatchObject({ messages: 0 });
});
