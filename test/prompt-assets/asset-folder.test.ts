import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryError } from "../../src/errors.js";
import { locales } from "../../src/locales/index.js";
import { Reporter } from "../../src/log.js";
import { AssetFolder } from "../../src/prompt-assets/index.js";
import { utf8Length } from "../../src/text/index.js";
import { nastyText } from "../text/nasty-text.js";

const mark = "（本文件超过 8KB，其后内容未注入）";

let home: string;
let directory: string;
let warnings: string[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "assets-"));
  directory = join(home, "ai", "rules");
  await mkdir(directory, { recursive: true });
  warnings = [];
});

afterEach(() => rm(home, { recursive: true, force: true }));

function folder(
  options: { directory?: string; fileBudget?: number; locale?: "zh-CN" | "en" } = {},
): AssetFolder {
  return new AssetFolder({
    directory: options.directory ?? directory,
    kind: "rules",
    fileBudget: options.fileBudget ?? 8192,
    reporter: new Reporter({
      warn: (message) => warnings.push(message),
      error: (message) => warnings.push(message),
    }),
    locale: locales[options.locale ?? "zh-CN"],
  });
}

function put(filename: string, content: string | Uint8Array): Promise<void> {
  return writeFile(join(directory, filename), content);
}

async function loadOne(content: string | Uint8Array) {
  await put("a.md", content);
  const [asset] = await folder().load();
  if (asset === undefined) throw new Error("the file was skipped");
  return asset;
}

describe("which files count", () => {
  it("top-level files ending in .md in any case, README too, ordered by code unit", async () => {
    for (const filename of ["A.MD", "b.md", "README.md", "10.md", "9.md", "é.md", "😀.md", "\uFF5E.md"]) {
      await put(filename, "x");
    }
    const filenames = (await folder().load()).map((asset) => asset.filename);
    // By code unit 😀 (D83D …) stands before ～ (FF5E).
    expect(filenames).toEqual(["10.md", "9.md", "A.MD", "README.md", "b.md", "é.md", "😀.md", "\uFF5E.md"]);
  });

  it("no hidden files, folders, symbolic links, other endings or what editors and crashes leave", async () => {
    await put("good.md", "x");
    for (const filename of [
      "c.markdown",
      ".e.md",
      ".md",
      ".memory.tmp.md",
      "x.md.tmp",
      "y.md~",
      "#z.md#",
      "md",
    ]) {
      await put(filename, "x");
    }
    await mkdir(join(directory, "f.md"));
    await mkdir(join(directory, "sub"));
    await put("sub/d.md", "x");
    await symlink(join(directory, "good.md"), join(directory, "link.md"));
    expect((await folder().load()).map((asset) => asset.filename)).toEqual(["good.md"]);
    expect(warnings).toEqual([]);
  });

  it("thousands of files are all read", async () => {
    const filenames = Array.from({ length: 300 }, (_, index) => `${1000 + index}.md`);
    for (const filename of filenames) await put(filename, filename);
    expect((await folder().load()).map((asset) => asset.body)).toEqual(filenames);
  });
});

describe("the folder", () => {
  it("is made where it is missing, for its owner alone", async () => {
    const missing = join(home, "new", "rules");
    expect(await folder({ directory: missing }).load()).toEqual([]);
    expect((await stat(missing)).mode & 0o777).toBe(0o700);
    expect((await stat(join(home, "new"))).mode & 0o777).toBe(0o700);
    expect(warnings).toEqual([]);
  });

  it("is made by directory(), which gives its path", async () => {
    const missing = join(home, "other");
    expect(await folder({ directory: missing }).directory()).toBe(missing);
    expect((await stat(missing)).isDirectory()).toBe(true);
  });

  it("is not touched by construction", async () => {
    folder({ directory: join(home, "untouched") });
    await expect(stat(join(home, "untouched"))).rejects.toThrow("ENOENT");
  });

  it("that is a file, or lies under one, is quietly empty", async () => {
    await put("file", "x");
    expect(await folder({ directory: join(directory, "file") }).load()).toEqual([]);
    expect(await folder({ directory: join(directory, "file", "rules") }).load()).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it("that can't be used is empty, with one warning and without its path", async () => {
    const impossible = folder({ directory: join(home, "x".repeat(300)) });
    expect(await impossible.load()).toEqual([]);
    expect(await impossible.load()).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("ENAMETOOLONG");
    expect(warnings[0]).not.toContain(home);
  });
});

describe("a file", () => {
  it("has name, description, size and body", async () => {
    const text = "---\nname: nginx 排障\ndescription: 步骤\n---\n\n正文\n";
    expect(await loadOne(text)).toEqual({
      filename: "a.md",
      name: "nginx 排障",
      description: "步骤",
      bytes: utf8Length(text),
      truncated: false,
      body: "正文",
    });
  });

  it("without a name is called after its file, on one line", async () => {
    await put("部署.MD", "x");
    await put("odd\n# name.md", "x");
    expect((await folder().load()).map((asset) => asset.name)).toEqual(["odd # name", "部署"]);
  });

  it("is read again each time, so that an edit is in the very next call", async () => {
    await put("a.md", "one");
    const rules = folder();
    expect((await rules.load())[0]?.body).toBe("one");
    await put("a.md", "two");
    expect((await rules.load())[0]?.body).toBe("two");
  });

  it("may begin with a byte order mark and have CRLF", async () => {
    const bytes = Buffer.from("\uFEFF---\r\nname: deploy\r\ndescription: Ship it\r\n---\r\nBody");
    expect(await loadOne(bytes)).toMatchObject({ name: "deploy", description: "Ship it", body: "Body" });
  });

  it("without text is listed with an empty body", async () => {
    expect(await loadOne("")).toMatchObject({ name: "a", bytes: 0, body: "" });
  });
});

describe("a file over the budget", () => {
  it("of exactly 8192 bytes passes uncut", async () => {
    expect(await loadOne("x".repeat(8192))).toMatchObject({
      truncated: false,
      bytes: 8192,
      body: "x".repeat(8192),
    });
  });

  it.each([
    ["Chinese characters", "界".repeat(8192)],
    ["an emoji across the limit", `${"x".repeat(8190)}😀`],
    ["a letter across the limit", `${"x".repeat(8191)}é`],
    ["one byte too many", "x".repeat(8193)],
    ["a megabyte", "x".repeat(1 << 20)],
    ["lines of blanks", `x${" \n".repeat(8192)}`],
  ])("is cut at a whole character and marked: %s", async (_, text) => {
    const { body, truncated, bytes } = await loadOne(text);
    expect(truncated).toBe(true);
    expect(bytes).toBe(utf8Length(text));
    expect(utf8Length(body)).toBeLessThanOrEqual(8192);
    expect(body.endsWith(`\n${mark}`)).toBe(true);
    const kept = body.slice(0, -mark.length - 1);
    expect(text.startsWith(kept)).toBe(true);
    if (!/\s$/.test(text)) expect(utf8Length(kept)).toBeGreaterThan(8192 - utf8Length(`\n${mark}`) - 4);
  });

  it("loses nothing but what is behind the first 8192 bytes, of which its frontmatter is a part", async () => {
    const head = `---\nname: a\ndescription: ${"d".repeat(100)}\n---\n`;
    const text = head + "x".repeat(9000);
    const kept = "x".repeat(8192 - head.length - 1);
    expect((await loadOne(text)).body).toBe(`${kept}\n${mark}`);
  });

  it.each([
    ["a family", "👨‍👩‍👧‍👦"],
    ["a flag", "🇩🇪"],
    ["a letter with its marks", "e\u0301\u0302\u0303"],
  ])("leaves no part of %s at the limit of what is read", async (_, grapheme) => {
    const head = `---\ndescription: ${"d".repeat(100)}\n---\n`;
    for (let shift = 0; shift <= utf8Length(grapheme); shift++) {
      const text = head + "x".repeat(8192 - head.length - shift) + grapheme.repeat(20);
      const kept = (await loadOne(text)).body.split("\n")[0] ?? "";
      expect(kept.replaceAll(/x+/g, "").replaceAll(grapheme, "")).toBe("");
    }
  });

  it("has the mark in the size of its budget and the language of its locale", async () => {
    await put("a.md", "x".repeat(5000));
    expect((await folder({ fileBudget: 1536 }).load())[0]?.body).toMatch(
      /\n（本文件超过 1\.5KB，其后内容未注入）$/,
    );
    expect((await folder({ fileBudget: 1000 }).load())[0]?.body).toMatch(
      /\n（本文件超过 1000B，其后内容未注入）$/,
    );
    expect((await folder({ locale: "en", fileBudget: 4096 }).load())[0]?.body).toMatch(
      /\n\(this file is over 4KB; what follows was not injected\)$/,
    );
  });

  it.each([16_383, 16_384, 16_385, 50_000, 65_536])(
    "of %i bytes is read whole where the budget is larger",
    async (size) => {
      const text = "0123456789".repeat(7000).slice(0, size);
      await put("a.md", text);
      expect((await folder({ fileBudget: 65_536 }).load())[0]).toMatchObject({
        truncated: false,
        bytes: size,
        body: text,
      });
    },
  );

  it("is cut at a budget of many KB too", async () => {
    await put("a.md", "x".repeat(65_537));
    const [asset] = await folder({ fileBudget: 65_536 }).load();
    expect(asset).toMatchObject({ truncated: true, bytes: 65_537 });
    expect(utf8Length(asset?.body ?? "")).toBe(65_536);
  });

  it("that only grew behind the limit has its new size", async () => {
    const rules = folder();
    for (const bytes of [9000, 9500]) {
      await put("a.md", "x".repeat(bytes));
      expect((await rules.load())[0]?.bytes).toBe(bytes);
    }
  });

  it("stays within any budget, whole and the same each time, for any text", async () => {
    await fc.assert(
      fc.asyncProperty(nastyText, fc.integer({ min: 256, max: 600 }), async (text, fileBudget) => {
        await put("a.md", text.replaceAll("\u0000", ""));
        const [asset] = await folder({ fileBudget }).load();
        expect(utf8Length(asset?.body ?? "")).toBeLessThanOrEqual(fileBudget);
        expect(asset?.body.isWellFormed()).toBe(true);
        expect(asset?.body.includes("\uFFFD")).toBe(text.includes("\uFFFD"));
        expect(await folder({ fileBudget }).load()).toEqual([asset]);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a file that can't be used", () => {
  const gbk = Buffer.from([0xc4, 0xe3, 0xba, 0xc3]);
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]);
  const badByte = Buffer.from("secret words ".repeat(400));
  badByte[3000] = 0xff;

  it.each([
    ["GBK", gbk, "not UTF-8"],
    ["a picture", png, "NUL bytes"],
    ["one bad byte among good text", badByte, "not UTF-8"],
    ["NUL bytes", Buffer.from("a\0b"), "NUL bytes"],
    ["UTF-16, little endian", Buffer.from("\uFEFFsecret", "utf16le"), "UTF-16"],
    ["UTF-16, big endian", Buffer.from("\uFEFFsecret", "utf16le").swap16(), "UTF-16"],
    ["UTF-16 without mark", Buffer.from("secret", "utf16le"), "NUL bytes"],
    [
      "a bad byte in front of the limit",
      Buffer.concat([Buffer.alloc(8191, "x"), Buffer.from([0xe7, 0x41])]),
      "not UTF-8",
    ],
  ])("is skipped with one warning that names it, and the others are used: %s", async (_, bytes, reason) => {
    await put("bad.md", bytes);
    await put("good.md", "fine");
    const rules = folder();
    expect((await rules.load()).map((asset) => asset.filename)).toEqual(["good.md"]);
    await rules.load();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("rules/bad.md");
    expect(warnings[0]).toContain(reason);
    expect(warnings[0]).not.toContain("secret");
  });

  it("a character split by the limit of what is read is no fault", async () => {
    await put("a.md", `${"x".repeat(8191)}界界`);
    expect(await folder().load()).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)("is skipped where it may not be read", async () => {
    await put("locked.md", "x");
    await chmod(join(directory, "locked.md"), 0);
    expect(await folder().load()).toEqual([]);
    expect(warnings[0]).toContain("EACCES");
  });

  it.runIf(process.platform === "linux")(
    "that is listed but can't be opened is skipped with a warning",
    async () => {
      // A name that is no UTF-8, as archives made on Chinese Windows have: Node lists it but can't open it.
      await writeFile(Buffer.concat([Buffer.from(`${directory}/`), gbk, Buffer.from(".md")]), "x");
      await put("good.md", "fine");
      expect((await folder().load()).map((asset) => asset.filename)).toEqual(["good.md"]);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain("ENOENT");
    },
  );

  it("is warned of again when it was fine in between, or gone", async () => {
    const rules = folder();
    await put("a.md", gbk);
    await rules.load();
    await put("a.md", "fine");
    await rules.load();
    await put("a.md", gbk);
    await rules.load();
    expect(warnings).toHaveLength(2);
    await unlink(join(directory, "a.md"));
    await rules.load();
    await put("a.md", gbk);
    await rules.load();
    expect(warnings).toHaveLength(3);
  });

  it("frontmatter without an end is warned of once, and all of it is body", async () => {
    await put("a.md", "---\nNever delete data\nno closing");
    const rules = folder();
    expect((await rules.load())[0]?.body).toBe("---\nNever delete data\nno closing");
    await rules.load();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("rules/a.md");
    expect(warnings[0]).not.toContain("Never");
  });
});

describe("one file by its name", () => {
  it("is read whole, frontmatter included, without byte order mark", async () => {
    const text = `---\nname: a\n---\n${"界".repeat(9000)}`;
    await put("a.md", `\uFEFF${text}`);
    expect(await folder().read("a.md")).toBe(text);
    expect(await folder().has("a.md")).toBe(true);
  });

  it.each(["missing.md", "../secret.md", "sub/d.md", "..", "", ".hidden.md", "link.md", "A.md", "notes.txt"])(
    "%j is not found",
    async (filename) => {
      await writeFile(join(home, "ai", "secret.md"), "x");
      await mkdir(join(directory, "sub"));
      for (const name of ["a.md", "sub/d.md", ".hidden.md", "notes.txt"]) await put(name, "x");
      await symlink(join(home, "ai", "secret.md"), join(directory, "link.md"));
      expect(await folder().has(filename)).toBe(false);
      const error = await folder()
        .read(filename)
        .catch((reason: unknown) => reason);
      expect(MemoryError.isInstance(error) && error.code).toBe("ERR_ASSET_NOT_FOUND");
    },
  );

  it("that is no text is not found, with the reason", async () => {
    await put("a.md", Buffer.from([0xc4, 0xe3]));
    await expect(folder().read("a.md")).rejects.toThrow("rules/a.md can't be read: it is not UTF-8");
  });

  it("is left as it was", async () => {
    await put("a.md", "x");
    await folder().load();
    expect(await readFile(join(directory, "a.md"), "utf8")).toBe("x");
  });
});
