import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  codePointLength,
  cutMiddle,
  cutToBytes,
  cutToCodePoints,
  utf8Length,
  withoutLastGrapheme,
} from "../../src/text/index.js";
import { brokenText, graphemesOf, nastyText } from "./nasty-text.js";

const family = "👨‍👩‍👧‍👦";

describe("a length", () => {
  it.each([
    ["", 0, 0],
    ["abc", 3, 3],
    ["界", 1, 3],
    ["😀", 1, 4],
    ["e\u0301", 2, 3],
    [family, 7, 25],
    ["\uD83D", 1, 3],
  ])("of %j is %i code points and %i bytes", (text, points, bytes) => {
    expect(codePointLength(text)).toBe(points);
    expect(utf8Length(text)).toBe(bytes);
  });

  it("in code points is that of the string's iterator", () => {
    fc.assert(fc.property(brokenText, (text) => codePointLength(text) === [...text].length));
  });
});

describe("a cut in bytes", () => {
  it.each([
    ["a text that fits exactly stays whole", "x".repeat(8192), 8192, "x".repeat(8192)],
    ["Chinese characters are three bytes each", "界".repeat(8192), 8192, "界".repeat(2730)],
    ["an emoji that does not fit goes whole", `${"x".repeat(8190)}😀`, 8192, "x".repeat(8190)],
    ["an accented letter goes whole", `${"x".repeat(8191)}é`, 8192, "x".repeat(8191)],
    ["a combining mark takes its letter along", `${"x".repeat(10)}e\u0301`, 11, "x".repeat(10)],
    ["no half flag is left", "🇩🇪🇫🇷", 12, "🇩🇪"],
    [
      "flags are counted off from the beginning of their run",
      "🇩🇪".repeat(2000),
      8 * 1500 + 4,
      "🇩🇪".repeat(1500),
    ],
    ["no half family is left", `ab${family}`, 2 + 24, "ab"],
    ["a carriage return keeps its line feed", "ab\r\ncd", 3, "ab"],
    ["nothing is left where the first grapheme is too long", `a${"\u0301".repeat(50)}`, 20, ""],
    ["no room, nothing left", "abc", 0, ""],
    ["less than no room, nothing left", "abc", -5, ""],
    ["half a character of the input is dropped", "a\uD83Db", 8192, "ab"],
  ])("%s", (_, text, maxBytes, expected) => {
    expect(cutToBytes(text, maxBytes)).toBe(expected);
  });

  it("is the longest row of whole graphemes that fits, for any text and budget", () => {
    fc.assert(
      fc.property(nastyText, fc.nat(300), (text, maxBytes) => {
        let expected = "";
        for (const grapheme of graphemesOf(text)) {
          if (utf8Length(expected + grapheme) > maxBytes) break;
          expected += grapheme;
        }
        expect(cutToBytes(text, maxBytes)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("never gives more than the budget nor half a character, also for broken text", () => {
    fc.assert(
      fc.property(brokenText, fc.nat(300), (text, maxBytes) => {
        const cut = cutToBytes(text, maxBytes);
        expect(utf8Length(cut)).toBeLessThanOrEqual(maxBytes);
        expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });

  it("looks only at what is near, and finds the same boundary as with the whole text", () => {
    const text = [
      "🇩🇪".repeat(1000),
      "e\u0301".repeat(700),
      family.repeat(100),
      "a",
      "\u0301".repeat(3000),
      "b",
    ].join("");
    const boundaries = new Set([0]);
    let end = 0;
    for (const grapheme of graphemesOf(text)) {
      end += grapheme.length;
      boundaries.add(end);
    }
    for (let maxBytes = 7000; maxBytes < 20_000; maxBytes += 101) {
      expect(boundaries).toContain(cutToBytes(text, maxBytes).length);
    }
  });
});

describe("a cut in code points", () => {
  it.each([
    ["199 letters and an emoji are 200", `${"x".repeat(199)}😀`, 200, `${"x".repeat(199)}😀`],
    ["200 letters and an emoji are cut before it", `${"x".repeat(200)}😀`, 200, "x".repeat(200)],
    ["a family that does not fit goes whole", `${"x".repeat(195)}${family}`, 200, "x".repeat(195)],
    ["half a flag goes too", "🇩🇪🇫🇷", 3, "🇩🇪"],
  ])("%s", (_, text, max, expected) => {
    expect(cutToCodePoints(text, max)).toBe(expected);
  });

  it("is the longest row of whole graphemes that fits, for any text", () => {
    fc.assert(
      fc.property(nastyText, fc.nat(100), (text, max) => {
        let expected = "";
        for (const grapheme of graphemesOf(text)) {
          if (codePointLength(expected + grapheme) > max) break;
          expected += grapheme;
        }
        expect(cutToCodePoints(text, max)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a cut in the middle", () => {
  it("keeps beginning and end", () => {
    expect(cutMiddle("0123456789abcdef", 9, "…")).toBe("0123…cdef");
    expect(cutMiddle("0123456789abcdef", 10, "…")).toBe("01234…cdef");
  });

  it("leaves a text that fits as it is", () => {
    expect(cutMiddle("😀".repeat(10), 10, "…")).toBe("😀".repeat(10));
  });

  it("gives the beginning alone where the mark does not fit", () => {
    expect(cutMiddle("0123456789", 3, "(cut)")).toBe("012");
  });

  it("takes no grapheme apart at either side", () => {
    expect(cutMiddle(`a${family}bbbb${family}c`, 9, "…")).toBe("a…c");
  });

  it("leaves a grapheme out whole, however long it is", () => {
    const long = `e${"\u0301".repeat(1000)}`;
    expect(cutMiddle(`${"x".repeat(600)}${long}end`, 1000, "…")).toBe(`${"x".repeat(500)}…end`);
  });

  it("is within its limit, well-formed, and made of the text's own beginning and end", () => {
    fc.assert(
      fc.property(nastyText, fc.nat(60), (text, max) => {
        const mark = "…cut…";
        const cut = cutMiddle(text, max, mark);
        expect(codePointLength(cut)).toBeLessThanOrEqual(max);
        expect(cut.isWellFormed()).toBe(true);
        if (cut === text || max <= codePointLength(mark)) return;
        const graphemes = graphemesOf(text);
        const heads = graphemes.map((_, count) => graphemes.slice(0, count).join(""));
        const tails = graphemes.map((_, count) => graphemes.slice(graphemes.length - count).join(""));
        expect(heads.some((head) => tails.some((tail) => cut === head + mark + tail))).toBe(true);
      }),
    );
  });
});

describe("a text whose rest is unknown", () => {
  it.each([
    ["", ""],
    ["ab", "a"],
    ["a🇩🇪🇫", "a🇩🇪"],
    [`a${family}`, "a"],
  ])("%j loses its last grapheme", (text, expected) => {
    expect(withoutLastGrapheme(text)).toBe(expected);
  });
});
