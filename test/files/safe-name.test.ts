import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeName } from "../../src/files/index.js";

const awkward = [
  ...[
    "",
    " ",
    ".",
    "..",
    "../x",
    "a/b",
    "a\\b",
    "/etc/passwd",
    "C:\\x",
    "a:b",
    "a\0b",
    "a\nb",
    "~",
    "-rf",
    "--a",
  ],
  ...[
    "A",
    "a",
    "É",
    "é",
    "e\u0301",
    "😀",
    "会话一",
    "CON",
    "con",
    "Con",
    "nul",
    "com1",
    "LPT9",
    "aux.json",
    "con.x",
  ],
  ...[
    "a.",
    "a ",
    "a..b",
    "a--b",
    "x".repeat(500),
    "x".repeat(499),
    "\ud800",
    "\udfff",
    "\ufffd",
    "__proto__",
    "id",
  ],
];

describe("a safe name", () => {
  it("leaves a short plain id readable as it is", () => {
    for (const id of ["thread-1", "user_42", "550e8400-e29b-41d4-a716-446655440000", "1", "global"]) {
      expect(safeName(id)).toBe(id);
    }
  });

  it("keeps a readable beginning of any other id", () => {
    expect(safeName("Alice Smith@example.com")).toMatch(/^alice-smith-example-com--[0-9a-f]{40}$/);
    expect(safeName("../../etc")).toMatch(/^etc--[0-9a-f]{40}$/);
    expect(safeName("会话")).toMatch(/^id--[0-9a-f]{40}$/);
  });

  it("is harmless on every file system, whatever the id", () => {
    const harmless = /^[a-z0-9][a-z0-9_-]{0,99}$/;
    const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/;
    for (const id of awkward) expect(safeName(id)).toMatch(harmless);
    for (const id of awkward) expect(safeName(id)).not.toMatch(reserved);
    fc.assert(fc.property(fc.string({ unit: "binary" }), (id) => harmless.test(safeName(id))));
  });

  it("is another one for each id, also where the file system ignores case", () => {
    const names = awkward.map((id) => safeName(id).toLowerCase());
    expect(new Set(names).size).toBe(awkward.length);
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        (one, other) => one === other || safeName(one) !== safeName(other),
      ),
    );
  });

  it("gives no id the name that another one got with its hash", () => {
    for (const id of awkward) {
      const name = safeName(id);
      if (name !== id) expect(safeName(name)).not.toBe(name);
    }
  });
});
