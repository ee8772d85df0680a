import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAsset } from "../../src/prompt-assets/frontmatter.js";
import { nastyText } from "../text/nasty-text.js";

function withDescription(value: string): string {
  return `---\nname: deploy\ndescription: ${value}\n---\nBody`;
}

describe("frontmatter", () => {
  it("gives name and description; the rest is body", () => {
    expect(parseAsset("---\nname: nginx 排障\ndescription: 排查步骤\n---\n# 502\n1. x\n")).toEqual({
      name: "nginx 排障",
      description: "排查步骤",
      body: "# 502\n1. x",
      problem: undefined,
    });
  });

  it.each([
    ["a colon", "Use when: deploying. NOT for: tests", "Use when: deploying. NOT for: tests"],
    ["brackets", "[beta] ship it", "[beta] ship it"],
    ["quotes around a part", '"quoted: text" and more', '"quoted: text" and more'],
    ["an apostrophe and a number sign", "it's # not a comment", "it's # not a comment"],
    ["double quotes around all", '"Use \\"when\\": \\u4f60 \\n now"', 'Use "when": 你 now'],
    ["single quotes around all", "'it''s: fine'", "it's: fine"],
    ["a Windows path in quotes", '"C:\\work\\new"', "C:\\work\\new"],
    ["a comment behind quotes", '"ship it"  # later', "ship it"],
    ["a folded block", ">-\n  Use when: x.\n\n  NOT for: y.", "Use when: x. NOT for: y."],
    ["a literal block", "|\n  one\n  two", "one two"],
    ["a value that goes on in the next line", "one\n  two", "one two"],
    ["a list", "\n- one\n- two", "one, two"],
    ["nothing", "", ""],
    ["a null", "~", ""],
    ["a number", "123", "123"],
    ["a boolean", "true", "true"],
    ["replacement patterns and braces", "$& $1 {{x}}", "$& $1 {{x}}"],
    ["hidden characters", "a\u202Eb\u200Bc", "abc"],
  ])("takes a description with %s", (_, value, expected) => {
    expect(parseAsset(withDescription(value))).toEqual({
      name: "deploy",
      description: expected,
      body: "Body",
      problem: undefined,
    });
  });

  it("gives numbers and booleans as names in text", () => {
    expect(parseAsset("---\nname: 123\n---\nx").name).toBe("123");
    expect(parseAsset("---\nname: true\n---\nx").name).toBe("true");
  });

  it("knows no name where it is empty or absent", () => {
    expect(parseAsset("---\nname:\n---\nx").name).toBeUndefined();
    expect(parseAsset("---\ndescription: y\n---\nx").name).toBeUndefined();
  });

  it("passes over other keys with blocks, lists, brackets and comments", () => {
    const text = [
      "---",
      "# made by hand",
      "license: MIT",
      "tools:",
      "- read",
      "  - nested",
      "metadata: {",
      "  a: 1",
      "}",
      "notes: |",
      "  name: not this",
      "",
      "  ---",
      "Name: deploy",
      "name: second",
      "---",
      "Body",
    ].join("\n");
    expect(parseAsset(text)).toMatchObject({ name: "deploy", body: "Body", problem: undefined });
  });

  it("is read with CRLF, blanks behind the dashes, and nothing behind it", () => {
    expect(parseAsset("---  \r\nname: a\r\n---\t\r\nB\r\nC\r\n")).toMatchObject({
      name: "a",
      body: "B\r\nC",
    });
    expect(parseAsset("---\nname: a\n---")).toMatchObject({ name: "a", body: "" });
    expect(parseAsset("---\n---\nB")).toMatchObject({ name: undefined, body: "B" });
  });

  it("cuts endless names and descriptions", () => {
    const { name, description } = parseAsset(
      `---\nname: ${"x".repeat(900)}\ndescription: ${"y".repeat(5000)}\n---\n`,
    );
    expect(name).toHaveLength(200);
    expect(description).toHaveLength(1024);
  });
});

describe("what is no frontmatter loses no word", () => {
  it.each([
    ["four dashes", "----\nhello\n----\nworld", undefined],
    ["dashes with a title", "--- Title ---\ntext", undefined],
    ["blanks before the dashes", " ---\nname: a\n ---\ntext", undefined],
    ["no closing", "---\nNever delete data\nno closing", "unclosed"],
    ["keys but no closing", "---\nname: a\nNever delete data", "unclosed"],
    ["a paragraph between two dash lines", "---\nhello\n---\nworld", undefined],
    ["a list between two dash lines", "---\n- never delete\n---\nworld", undefined],
    ["a heading between two dash lines", "---\n# Hello\n---\nworld", undefined],
    ["prose among keys", "---\nname: a\nNever delete data\n---\nworld", "malformed"],
    ["a list item behind a value", "---\nNote: never\n- delete data\n---\nworld", "malformed"],
  ])("%s", (_, text, problem) => {
    expect(parseAsset(text)).toEqual({ name: undefined, description: "", body: text, problem });
  });

  it("a later dash line belongs to the body", () => {
    expect(parseAsset("---\nname: a\n---\none\n\n---\n\ntwo\n---\nthree").body).toBe(
      "one\n\n---\n\ntwo\n---\nthree",
    );
  });

  it("only blank lines at beginning and end of a body go", () => {
    expect(parseAsset("\n \n    code\n\n\nnext\n \n\n").body).toBe("    code\n\n\nnext");
  });

  it("for any text: all lines are in the body, or those behind the closing dashes are", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("", "---\n", "---\nname: a\n", "---\nname: a\n---\n"),
        nastyText,
        (start, text) => {
          const { body } = parseAsset(start + text);
          expect(`${start}${text}`.trimEnd().endsWith(body)).toBe(true);
        },
      ),
    );
  });
});
