import { performance } from "node:perf_hooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findSecrets } from "../../src/memory/secrets/find-secrets.js";
import { holdsSecret, maskSecrets } from "../../src/memory/secrets/index.js";
import { cpuTimeOf } from "../support/cpu-time.js";
import { credentials, fake, githubToken, jwt, openAiKey, pem, projectKey } from "./credentials.js";
import { harmless } from "./harmless.js";

describe("a credential is found, and masking takes nothing else from the text", () => {
  test.each(credentials)("%s%s%s", async (before, credential, after) => {
    const text = `${before}${credential}${after}`;
    expect(await holdsSecret(text)).toBe(true);
    expect(await maskSecrets(text, "§")).toBe(`${before}§${after}`);
  });
});

describe("a sentence that tells no credential stays", () => {
  test.each(harmless)("%s", async (text) => {
    expect(await findSecrets(text)).toEqual([]);
    expect(await holdsSecret(text)).toBe(false);
    expect(await maskSecrets(text, "§")).toBe(text);
  });
});

test("the tables are large enough to mean something", () => {
  expect(credentials.length).toBeGreaterThanOrEqual(110);
  expect(harmless.length).toBeGreaterThanOrEqual(130);
});

describe("masking", () => {
  test("takes the mark literally, whatever it holds", async () => {
    expect(await maskSecrets(`a ${openAiKey} b`, "$&$1$`$'$$")).toBe("a $&$1$`$'$$ b");
  });

  test("masks each of several credentials, at the start, in the middle and at the end", async () => {
    const text = `${openAiKey} 和 😀${githubToken}😀，密码是 hunter2；\n${pem}\n👩‍💻 ${jwt}`;
    expect(await maskSecrets(text, "[x]")).toBe("[x] 和 😀[x]😀，密码是 [x]；\n[x]\n👩‍💻 [x]");
  });

  test("masks both values where one label has two", async () => {
    expect(await maskSecrets("password changed from OldPass1 to NewPass2", "§")).toBe(
      "password changed from § to §",
    );
    expect(await maskSecrets("密码从 abc123 改成 xyz789 了", "§")).toBe("密码从 § 改成 § 了");
    expect(await maskSecrets("密码：admin / Admin@123", "§")).toBe("密码：§ / §");
  });

  test("leaves a text that it has masked before as it is", async () => {
    for (const mark of ["［凭据已隐去］", "[credential removed]"]) {
      for (const [before, credential, after] of credentials) {
        const masked = await maskSecrets(`${before}${credential}${after}`, mark);
        expect(await maskSecrets(masked, mark)).toBe(masked);
      }
    }
  });

  test("leaves empty and broken texts as they are", async () => {
    for (const text of [
      "",
      " ",
      "\n",
      "\uD83D",
      "密码",
      "密码：",
      "password=",
      "password is",
      "://",
      "-----BEGIN ",
    ]) {
      expect(await maskSecrets(text, "§")).toBe(text);
    }
  });
});

test("found spans are in order and don't overlap", async () => {
  const text = credentials.map((parts) => parts.join("")).join("\n\n");
  const spans = await findSecrets(text);
  expect(spans.length).toBeGreaterThan(80);
  for (const [index, span] of spans.entries()) {
    expect(span.end).toBeGreaterThan(span.start);
    expect(span.start).toBeGreaterThan(spans[index - 1]?.end ?? -1);
  }
});

describe("secretlint", () => {
  // What only its rules know; without it these would pass.
  const onlySecretlint = [
    ["S", "G.", fake(22), ".", fake(43)],
    ["shp", "at_", fake(32)],
    ["lin", "_api_", fake(40)],
  ].map((parts) => parts.join(""));

  afterEach(() => {
    vi.doUnmock("@secretlint/secretlint-rule-preset-recommend");
    vi.resetModules();
  });

  beforeEach(() => vi.resetModules());

  test("finds keys that our own rules don't list", async () => {
    for (const credential of onlySecretlint)
      expect(await maskSecrets(`a ${credential}，b`, "§")).toBe("a §，b");
  });

  test("is not switched off by what a text says", async () => {
    const text = `secretlint-disable\n// secretlint-disable-next-line\n${onlySecretlint[0]}`;
    expect(await holdsSecret(text)).toBe(true);
  });

  test("is loaded only for a text that may hold a long key", async () => {
    const load = vi.fn(() => ({ rules: [] }));
    vi.doMock("@secretlint/secretlint-rule-preset-recommend", load);
    const fresh = await import("../../src/memory/secrets/find-secrets.js");
    for (const text of [
      "用户喜欢 zsh",
      "uses langchain-cross-session-memory",
      "see https://example.com/docs",
    ]) {
      await fresh.findSecrets(text);
    }
    expect(load).not.toHaveBeenCalled();
    await fresh.findSecrets(onlySecretlint[0] ?? "");
    expect(load).toHaveBeenCalledTimes(1);
  });

  test("that can't be loaded leaves our own rules at work", async () => {
    vi.doMock("@secretlint/secretlint-rule-preset-recommend", () => {
      throw new Error("not installed");
    });
    const fresh = await import("../../src/memory/secrets/find-secrets.js");
    expect(await fresh.maskSecrets(`key ${projectKey}`, "§")).toBe("key §");
    for (const credential of onlySecretlint) expect(await fresh.holdsSecret(credential)).toBe(false);
  });

  test("whose rule throws leaves the others at work, and its error goes nowhere", async () => {
    const broken = {
      meta: { id: "broken" },
      create: () => ({
        file: (source: { content: string }) => Promise.reject(new Error(source.content)),
      }),
    };
    const working = {
      meta: { id: "working" },
      create: (context: { report(found: object): void }) => ({
        file: () => context.report({ message: {}, range: [0, 3] }),
      }),
    };
    vi.doMock("@secretlint/secretlint-rule-preset-recommend", () => ({ rules: [broken, working] }));
    const fresh = await import("../../src/memory/secrets/find-secrets.js");
    expect(await fresh.findSecrets(`abc ${fake(30)}`)).toEqual([{ start: 0, end: 3 }]);
  });

  test("leaves nothing behind in a process that runs for long", async () => {
    const before = performance.getEntries().length;
    for (let turn = 0; turn < 50; turn += 1) await holdsSecret(onlySecretlint[0] ?? "");
    expect(performance.getEntries().length).toBe(before);
  });
});

describe("the time grows no faster than the text", () => {
  const hostile: Record<string, (length: number) => string> = {
    "one long word": (length) => "a".repeat(length),
    "one long key": (length) => "a1".repeat(length / 2),
    "one long number": (length) => "4 ".repeat(length / 2),
    "labels without a value": (length) => "password is ".repeat(length / 12),
    "labels in one word": (length) => "password=".repeat(length / 9),
    "Chinese labels": (length) => "密码是".repeat(length / 3),
    "a label and spaces": (length) => `password${" ".repeat(length)}x`,
    "a quote that never closes": (length) => `password="${"a".repeat(length)}`,
    "quotes that never close": (length) => 'password="'.repeat(length / 10),
    "private keys that never end": (length) =>
      ["-----BEGIN ", "PRIVATE KEY-----"].join("").repeat(length / 27),
    "beginnings of tokens": (length) => "eyJa-".repeat(length / 5),
    "beginnings of keys": (length) => "sk-".repeat(length / 3),
    "beginnings of addresses": (length) => "http://a:".repeat(length / 9),
    "an address with many stops": (length) => `http://a:b@${".".repeat(length)}x`,
    parameters: (length) => `password=${"&a".repeat(length / 2)}`,
  };

  test.each(Object.entries(hostile))("%s", async (_name, make) => {
    const cost = async (length: number) => {
      const text = make(length);
      const samples: number[] = [];
      for (let run = 0; run < 3; run += 1) samples.push(await cpuTimeOf(() => findSecrets(text)));
      return Math.min(...samples);
    };
    await cost(10_000);
    // Quadratic would be 16 times; the constant keeps the noise of a busy machine out of very short times.
    expect(await cost(400_000)).toBeLessThan(10 * (await cost(100_000)) + 20);
  });
});
