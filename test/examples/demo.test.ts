import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { examples, runExample } from "./run-example.js";

const languages = ["zh-CN", "en"] as const;

interface Conversation {
  readonly turns: readonly string[];
  readonly laterSession: { readonly question: string; readonly fact: string };
  readonly leftOut: readonly [{ readonly what: string; readonly text: string }];
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "examples-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(languages)("the conversation in %s", (lang) => {
  test("is longer than what starts an extraction, by the user's words alone", async () => {
    const { turns } = await conversation(lang);
    expect(characters(turns)).toBeGreaterThan(4000);
  });

  test("holds the fact, a password and all that is to be left out before the extraction starts", async () => {
    const { turns, laterSession, leftOut } = await conversation(lang);
    const early = turns.filter((_, at) => characters(turns.slice(0, at + 1)) < 3600).join("\n");
    for (const text of [laterSession.fact, ...leftOut.map((item) => item.text)])
      expect(early).toContain(text);
    expect(leftOut[0].text).toBe("Mango-7731-tulip");
  });

  test("does not give the fact away in the question", async () => {
    const { laterSession } = await conversation(lang);
    expect(laterSession.question).not.toContain(laterSession.fact);
  });
});

describe.each(languages)("the demo in %s", (lang) => {
  test("ends with the fact in the second session's answer, and the password in no file of memory/", async () => {
    const dir = join(folder, lang);
    const { fact, secret } = await known(lang);
    const { output, code } = await runExample("demo/demo.mjs", ["--lang", lang, "--dir", dir]);
    expect(output).toContain("stand-in-model");
    expect(lastLine(output)).toContain(fact);
    expect(answerOf(output)).toContain(fact);
    expect(code).toBe(0);

    const memories = await readFile(join(dir, "memory", "memory.json"), "utf8");
    expect(memories).toContain(fact);
    for (const name of await readdir(join(dir, "memory"))) {
      const text = await readFile(join(dir, "memory", name), "utf8");
      expect(text, `memory/${name}`).not.toContain(secret);
    }
  });

  test("shows the extraction beside the chat, what was learned and left out, and the budgets", async () => {
    const { output } = await runExample("demo/demo.mjs", ["--lang", lang]);
    const lines = output.split("\n");
    const starts = lines.findIndex((line) => line.startsWith("  ▶ "));
    const ends = lines.findIndex((line) => line.startsWith("  ■ "));
    const lastTurn = lines.findLastIndex((line) => /^\d+ /.test(line));
    expect(starts).toBeGreaterThan(0);
    expect(ends).toBeGreaterThan(starts);
    expect(lastTurn).toBeGreaterThan(starts);
    expect(output.match(/^ {2}\+ /gm)?.length).toBeGreaterThanOrEqual(5);
    expect(output.match(/^ {2}✓ /gm)?.length).toBe(4);
    expect(output).not.toContain("✗");
    for (const text of ["answer-style.md, commands.md", "/ 16384 B", "/ 8192 B"])
      expect(output).toContain(text);
    expect(output).not.toContain("\u001b[");
  });

  test("does not know the fact with --no-memory, even where the folder's memories hold it", async () => {
    const dir = join(folder, `${lang}-off`);
    const { fact } = await known(lang);
    const memory = { id: randomUUID(), content: `port ${fact}`, createdAt: 1, sourceScope: "global" };
    await mkdir(join(dir, "memory"), { recursive: true });
    await writeFile(join(dir, "memory", "memory.json"), JSON.stringify([memory]));
    const { output, code } = await runExample("demo/demo.mjs", ["--lang", lang, "--no-memory", "--dir", dir]);
    expect(answerOf(output)).not.toContain(fact);
    expect(output).not.toContain("▶");
    expect(code).toBe(0);
  });
});

test("the demo refuses an option that it does not know, and says how to call it", async () => {
  const { errors, code } = await runExample("demo/demo.mjs", ["--lang", "fr"]);
  expect(code).toBe(2);
  expect(errors).toContain("--no-memory");
});

async function conversation(lang: string): Promise<Conversation> {
  return JSON.parse(await readFile(join(examples, "demo", `conversation.${lang}.json`), "utf8"));
}

async function known(lang: string): Promise<{ fact: string; secret: string }> {
  const { laterSession, leftOut } = await conversation(lang);
  return { fact: laterSession.fact, secret: leftOut[0].text };
}

function characters(turns: readonly string[]): number {
  return [...turns.join("")].length;
}

function answerOf(output: string): string {
  return /^ {2}(?:助手|assistant): (.*)$/m.exec(output)?.[1] ?? "no answer was printed";
}

function lastLine(output: string): string {
  return output.trimEnd().split("\n").at(-1) ?? "";
}
