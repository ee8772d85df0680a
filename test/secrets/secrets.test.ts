import { describe, expect, test } from "vitest";
import { findSecrets } from "../../src/memory/secrets/find-secrets.js";
import { holdsSecret, maskSecrets } from "../../src/memory/secrets/index.js";
import { credentials } from "./credentials.js";
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
  });
});
