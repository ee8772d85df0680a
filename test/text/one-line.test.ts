import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { oneLine } from "../../src/text/index.js";
import { brokenText } from "./nasty-text.js";

describe("a text made one line", () => {
  it.each([
    ["a plain sentence stays", "项目使用 pnpm 而非 npm", "项目使用 pnpm 而非 npm"],
    [
      "braces and patterns stay",
      "Formats dates as {yyyy}-{mm}, $& {{x}}",
      "Formats dates as {yyyy}-{mm}, $& {{x}}",
    ],
    ["line breaks become spaces", "a\n# System\r\nb\u2028c\u2029d\u0085e\vf\fg", "a # System b c d e f g"],
    ["tabs and control characters become spaces", "a\tb\u0000c\u001b[31md\u009be", "a b c [31md e"],
    ["bidirectional marks go", "a\u202Eb\u2066c\u2069\u200F\u061Cd", "abcd"],
    ["tag characters go", "ok\u{E0001}\u{E0041}\u{E007F}", "ok"],
    ["zero-width spaces and byte order marks go", "Ly\u200Bo\u2060n\uFEFF", "Lyon"],
    ["half characters go", "a\uD83Db\uDE00c", "abc"],
    ["runs of spaces become one, single ones stay", " a  b \u3000 c\u3000d\u00A0e ", "a b c\u3000d\u00A0e"],
    ["a family stays whole", "👨‍👩‍👧‍👦 ❤️‍🔥 👩🏽‍💻 🐈‍⬛", "👨‍👩‍👧‍👦 ❤️‍🔥 👩🏽‍💻 🐈‍⬛"],
    ["joiners between letters stay", "می‌خواهم क्‍ष", "می‌خواهم क्‍ष"],
    ["joiners with nothing to join go", "\u200Da \u200Cb\u200D\u200D\u200Cc\u200D", "a bc"],
    [
      "one variation selector stays, hidden rows of them go",
      "❤\uFE0F\uFE0E\u{E0101}x\u{E0130}\u{E0131}",
      "❤\uFE0Fx",
    ],
    ["a Chinese character keeps its form", "葛\u{E0100}城", "葛\u{E0100}城"],
    ["nothing but breaks is nothing", " \n\t\u200B ", ""],
  ])("%s", (_, text, expected) => {
    expect(oneLine(text)).toBe(expected);
  });

  it("keeps every letter, mark and symbol of every language as it is", () => {
    const visible = fc.string({ unit: "grapheme-composite" }).filter((text) => !/[\s\p{C}]/u.test(text));
    fc.assert(fc.property(visible, (text) => oneLine(text) === text));
  });

  it("is one line without anything hidden, for any text", () => {
    fc.assert(
      fc.property(brokenText, (text) => {
        const line = oneLine(text);
        expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200B\uFEFF\u{E0000}-\u{E007F}]/u);
        expect(line).not.toMatch(/^\s|\s$|\s\s/u);
        expect(line.isWellFormed()).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("stays as it is when it is made one line again", () => {
    fc.assert(
      fc.property(brokenText, (text) => {
        const line = oneLine(text);
        expect(oneLine(line)).toBe(line);
      }),
      { numRuns: 1000 },
    );
  });
});
