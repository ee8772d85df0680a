import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { type MemoryItem, MemoryWorkspace, type WorkspaceOptions } from "../../src/index.js";
import { FixedClock } from "../support/clock.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function open(options: WorkspaceOptions = {}, environment = new FixedClock()) {
  const dir = await temporaryFolder();
  const logger = new CollectingLogger();
  const workspace = new MemoryWorkspace({ dir, logger, ...options }, environment);
  const file = join(dir, "memory", "memory.json");
  return { dir, logger, workspace, environment, file, memories: workspace.memories };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const contents = (items: readonly MemoryItem[]) => items.map(({ content }) => content);

function items(count: number): MemoryItem[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `id-${index}`,
    content: `fact ${index}`,
    createdAt: index,
    sourceScope: "global",
  }));
}

describe("memories.add", () => {
  it("gives the item: a random UUID, the content, now, global or the given source", async () => {
    const { memories, environment, file } = await open();
    const item = await memories.add("用户偏好使用 zsh");
    expect(item).toEqual({
      id: expect.stringMatching(uuid),
      content: "用户偏好使用 zsh",
      createdAt: environment.time,
      sourceScope: "global",
    });
    environment.advance(5);
    const second = await memories.add("User prefers pnpm.", { sourceScope: "session-1" });
    expect(second).toMatchObject({ createdAt: environment.time, sourceScope: "session-1" });
    expect(await memories.list()).toEqual([item, second]);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual([item, second]);
  });

  it("takes 200 code points, and 201 are refused with a code", async () => {
    const { memories } = await open();
    const longest = "🦊".repeat(200);
    expect((await memories.add(longest)).content).toBe(longest);
    await expect(memories.add(`${longest}🦊`)).rejects.toMatchObject({ code: "ERR_MEMORY_TOO_LONG" });
    await expect(memories.add("字".repeat(201))).rejects.toThrow("at most 200 characters, got 201");
    expect(await memories.list()).toHaveLength(1);
  });

  it("counts what would be stored: blanks around and line breaks are none of the 200", async () => {
    const { memories } = await open();
    const item = await memories.add(`  \n${"x".repeat(199)}\r\n\r\n \t`);
    expect(item.content).toBe("x".repeat(199));
  });

  it("makes one line of whatever it is given", async () => {
    const { memories } = await open();
    const item = await memories.add("# heading\n- list\u2028\u202E tail\u0000");
    expect(item.content).toBe("# heading - list tail");
  });

  it.each([[""], ["   "], ["\n\t"], ["\u200B\u200D\uFEFF"], [undefined], [5], [{ content: "x" }], [["x"]]])(
    "refuses %j, which is no text",
    async (content) => {
      const { memories, dir } = await open();
      await expect(memories.add(content as string)).rejects.toMatchObject({ code: "ERR_MEMORY_EMPTY" });
      await expect(readFile(join(dir, "memory", "memory.json"))).rejects.toMatchObject({ code: "ENOENT" });
    },
  );

  it("refuses a source that is none", async () => {
    const { memories } = await open();
    for (const sourceScope of ["", 5 as unknown as string]) {
      await expect(memories.add("x", { sourceScope })).rejects.toMatchObject({ code: "ERR_MEMORY_INVALID" });
    }
  });

  it.each([
    ["Unicode form", "caf\u00E9 at noon", "cafe\u0301 at noon"],
    ["blanks", "use  tabs", " use \t tabs  "],
    ["ideographic blanks", "使用 zsh", "使用\u3000zsh"],
    ["zero-width characters", "use zsh", "use\u200B z\uFEFFsh"],
  ])("gives an equal item back in place of a second: %s", async (_name, first, second) => {
    const { memories, environment, file } = await open();
    const item = await memories.add(first);
    environment.advance(1000);
    const before = await readFile(file, "utf8");
    expect(await memories.add(second, { sourceScope: "other" })).toEqual(item);
    expect(await memories.list()).toEqual([item]);
    expect(await readFile(file, "utf8")).toBe(before);
  });

  it("tells apart what only looks alike", async () => {
    const { memories } = await open();
    for (const content of ["use zsh", "Use zsh", "use zsh.", "usezsh"]) await memories.add(content);
    expect(await memories.list()).toHaveLength(4);
  });

  it("keeps the order of arrival where all happens in one moment", async () => {
    const { memories, dir } = await open({ limit: 1000 });
    const added = Array.from({ length: 60 }, (_, index) => `fact ${(index * 17) % 60}`);
    for (const content of added) await memories.add(content);
    expect(contents(await memories.list())).toEqual(added);
    const items = await new MemoryWorkspace({ dir }).memories.list();
    expect(contents(items)).toEqual(added);
    expect(new Set(items.map(({ id }) => id)).size).toBe(60);
  });

  it("pushes out the oldest at the limit, without a word", async () => {
    const { memories, environment, logger } = await open({ limit: 10 });
    for (let index = 0; index < 12; index++) {
      environment.advance(1);
      await memories.add(`fact ${index}`);
    }
    expect(contents(await memories.list())).toEqual(
      Array.from({ length: 10 }, (_, index) => `fact ${index + 2}`),
    );
    expect(logger.all).toBe("");
  });

  it("loses none of many at once", async () => {
    const { memories } = await open();
    await Promise.all(Array.from({ length: 30 }, (_, index) => memories.add(`fact ${index}`)));
    expect(contents(await memories.list()).sort()).toEqual(contents(items(30)).sort());
  });
});

describe("memories.update", () => {
  it("corrects a content; id, time and source stay", async () => {
    const { memories, environment } = await open();
    const item = await memories.add("User prefers npm.", { sourceScope: "s" });
    environment.advance(1000);
    const corrected = { ...item, content: "User prefers pnpm." };
    expect(await memories.update(item.id, "  User prefers\npnpm. ")).toEqual(corrected);
    expect(await memories.list()).toEqual([corrected]);
  });

  it("refuses an unknown id, an empty text and one that is too long, each with its code", async () => {
    const { memories } = await open();
    const item = await memories.add("fact");
    await expect(memories.update("nobody", "x")).rejects.toMatchObject({ code: "ERR_MEMORY_NOT_FOUND" });
    await expect(memories.update(item.id, " ")).rejects.toMatchObject({ code: "ERR_MEMORY_EMPTY" });
    await expect(memories.update(item.id, "x".repeat(201))).rejects.toMatchObject({
      code: "ERR_MEMORY_TOO_LONG",
    });
    expect(await memories.list()).toEqual([item]);
  });

  it("into what another says already leaves one of them, under the id that was corrected", async () => {
    const { memories } = await open();
    await memories.add("User prefers pnpm.");
    const item = await memories.add("User prefers npm.");
    await memories.update(item.id, "User  prefers pnpm.");
    expect(await memories.list()).toEqual([{ ...item, content: "User prefers pnpm." }]);
  });
});

describe("memories.remove", () => {
  it("says whether there was one, and takes only that", async () => {
    const { memories } = await open();
    const [first, second] = [await memories.add("one"), await memories.add("two")];
    expect(await memories.remove(first.id)).toBe(true);
    expect(await memories.remove(first.id)).toBe(false);
    expect(await memories.remove("nobody")).toBe(false);
    expect(await memories.list()).toEqual([second]);
  });
});

describe("memories.save", () => {
  it("replaces all: cuts to 200, drops equal ones, sorts and evicts", async () => {
    const { memories, file } = await open({ limit: 10 });
    await memories.add("gone");
    const saved = [
      ...items(12).reverse(),
      { id: "long", content: "🦊".repeat(300), createdAt: 100, sourceScope: "s" },
      { id: "equal", content: " fact  11", createdAt: 200, sourceScope: "s" },
    ];
    await memories.save(saved);
    const list = await memories.list();
    expect(contents(list)).toEqual([...contents(items(12)).slice(3), "🦊".repeat(200)]);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual(list);
    await memories.save([]);
    expect(await memories.list()).toEqual([]);
  });

  it("never cuts a grapheme in two", async () => {
    const { memories } = await open();
    const family = "👨‍👩‍👧‍👦";
    await memories.save([
      { id: "a", content: `${"x".repeat(197)}${family}`, createdAt: 1, sourceScope: "global" },
    ]);
    expect(contents(await memories.list())).toEqual(["x".repeat(197)]);
  });

  it.each<[named: string, items: unknown]>([
    ["must be an array", { 0: items(1)[0] }],
    ["must be an array", undefined],
    ["id of item 1", [items(1)[0], { ...items(1)[0], id: 5 }]],
    ["id of item 0", [{ ...items(1)[0], id: "" }]],
    ["id of item 0", [null]],
    ["content of item 0", [{ ...items(1)[0], content: "  " }]],
    ["content of item 0", [{ ...items(1)[0], content: undefined }]],
    ["createdAt of item 0", [{ ...items(1)[0], createdAt: "2026-01-01" }]],
    ["createdAt of item 0", [{ ...items(1)[0], createdAt: Number.NaN }]],
    ["sourceScope of item 0", [{ ...items(1)[0], sourceScope: "" }]],
    ["same id", [items(1)[0], { ...items(1)[0], content: "other" }]],
  ])("refuses what is no list of memories and leaves what is stored: %s", async (named, wrong) => {
    const { memories } = await open();
    const item = await memories.add("stays");
    const refused = memories.save(wrong as MemoryItem[]);
    await expect(refused).rejects.toMatchObject({ code: "ERR_MEMORY_INVALID" });
    await expect(refused).rejects.toThrow(named);
    expect(await memories.list()).toEqual([item]);
  });
});

describe("memories.clear", () => {
  const turn = [
    ["human", "I always use zsh."],
    ["ai", "Noted."],
  ];

  it("gives how many there were, and leaves what waits", async () => {
    const { workspace, memories } = await open({ model: new ScriptedModel("[]") });
    await memories.add("one");
    await memories.add("two");
    await workspace.recordTurn("s", turn);
    expect(await memories.clear()).toBe(2);
    expect(await memories.list()).toEqual([]);
    expect((await workspace.waiting.count()).messages).toBe(2);
    expect(await memories.clear()).toBe(0);
  });

  it("drops what waits too where it is asked to", async () => {
    const { workspace, memories } = await open({ model: new ScriptedModel("[]") });
    await memories.add("one");
    await workspace.recordTurn("s", turn);
    expect(await memories.clear({ waiting: true })).toBe(1);
    expect(await workspace.waiting.count()).toEqual({ characters: 0, messages: 0, sessions: 0 });
  });

  it("discards what an extraction under way brings, also where another process clears", async () => {
    for (const who of ["this", "another"]) {
      const reply = deferred();
      const model = new ScriptedModel(() => reply.promise as Promise<string>);
      const { workspace, dir } = await open({ model });
      await workspace.memories.add("allergic to nuts");
      await workspace.recordTurn("s", turn);
      const extraction = workspace.extractNow();
      await expect.poll(() => model.requests.length).toBe(1);
      const clearing = who === "this" ? workspace : new MemoryWorkspace({ dir });
      await clearing.memories.clear();
      reply.resolve('[{"content":"uses zsh"},{"content":"allergic to nuts"}]');
      expect(await extraction).toMatchObject({ requests: 1, stored: 0, remaining: 0 });
      expect(await workspace.memories.list()).toEqual([]);
    }
  });

  it("a memory that is deleted during an extraction does not come back by it", async () => {
    const reply = deferred();
    const model = new ScriptedModel(() => reply.promise as Promise<string>);
    const { workspace, memories } = await open({ model });
    const item = await memories.add("allergic to nuts");
    await workspace.recordTurn("s", turn);
    const extraction = workspace.extractNow();
    await expect.poll(() => model.requests.length).toBe(1);
    await memories.remove(item.id);
    reply.resolve(
      '[{"content":" allergic  to nuts"},{"content":"Allergic to nuts."},{"content":"uses zsh"}]',
    );
    expect((await extraction).stored).toBe(1);
    expect(contents(await memories.list())).toEqual(["uses zsh"]);
  });
});

describe("the limit", () => {
  const writes: [
    name: string,
    write: (memories: MemoryWorkspace["memories"]) => Promise<unknown>,
    left: number,
  ][] = [
    ["add", (memories) => memories.add("new"), 10],
    ["update", (memories) => memories.update("id-49", "new"), 10],
    ["remove", (memories) => memories.remove("id-49"), 10],
    ["save", async (memories) => memories.save(await memories.list()), 10],
  ];

  it.each(writes)(
    "evicts at the next save after it was lowered, and says how many: %s",
    async (_name, write, left) => {
      const { workspace, memories, logger } = await open();
      await memories.save(items(50));
      await workspace.settings.update({ aiMemoryLimit: 10 });
      expect(await memories.list()).toHaveLength(50);
      await write(memories);
      const list = await memories.list();
      expect(list).toHaveLength(left);
      expect(contents(list)).not.toContain("fact 30");
      expect(logger.warnings).toHaveLength(1);
      expect(logger.warnings[0]).toMatch(/\b(39|40|41)\b/);
    },
  );

  it("evicts nothing and says nothing where a write is refused", async () => {
    const { workspace, memories, logger } = await open();
    await memories.save(items(50));
    await workspace.settings.update({ aiMemoryLimit: 10 });
    await expect(memories.update("nobody", "x")).rejects.toMatchObject({ code: "ERR_MEMORY_NOT_FOUND" });
    expect(await memories.remove("nobody")).toBe(false);
    expect(await memories.add("fact 3")).toMatchObject({ id: "id-3" });
    expect(await memories.list()).toHaveLength(50);
    expect(logger.all).toBe("");
  });

  it("holds from the next extraction on too", async () => {
    const { workspace, memories } = await open({ model: new ScriptedModel('[{"content":"uses zsh"}]') });
    await memories.save(items(50));
    await workspace.settings.update({ aiMemoryLimit: 10 });
    await workspace.recordTurn("s", [
      ["human", "zsh!"],
      ["ai", "ok"],
    ]);
    await workspace.extractNow();
    expect(contents(await memories.list())).toEqual([...contents(items(50)).slice(41), "uses zsh"]);
  });
});

describe("memories.list", () => {
  it("gives copies: what a caller does to them is in no later prompt", async () => {
    const { workspace, memories } = await open();
    await memories.add("true");
    // A file that was just written is read anew each time; a later look finds it unchanged and gives what is kept.
    const now = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(now + 60_000);
    const [item] = (await memories.list()) as { content: string }[];
    if (item) item.content = "forged";
    expect(contents(await memories.list())).toEqual(["true"]);
    expect((await workspace.assembleContext()).text).not.toContain("forged");
  });

  it("cuts an over-long content in the prompt only; the file keeps it until it is changed", async () => {
    const { workspace, memories, file, dir, logger } = await open();
    await mkdir(join(dir, "memory"));
    const long = "é".repeat(5000);
    await writeFile(
      file,
      JSON.stringify([
        { id: "long", content: long },
        { id: "longer by one", content: "x".repeat(201) },
        { id: "fine", content: "fine" },
        { id: "of 200 emoji", content: "🦊".repeat(200) },
      ]),
    );
    for (let turn = 0; turn < 2; turn++) {
      const { text } = await workspace.assembleContext();
      expect(text).toContain(`- ${"é".repeat(200)}\n- ${"x".repeat(200)}\n- fine\n- ${"🦊".repeat(200)}`);
    }
    expect(logger.warnings).toEqual([expect.stringContaining("2 memories are longer than 200 characters")]);
    await memories.add("more");
    expect(JSON.parse(await readFile(file, "utf8"))[0].content).toBe(long);
    expect(contents(await memories.list())[0]).toBe(long);
    await memories.update("long", "short");
    expect(contents(await memories.list())).toEqual([
      "short",
      "x".repeat(201),
      "fine",
      "🦊".repeat(200),
      "more",
    ]);
  });
});

function deferred() {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
