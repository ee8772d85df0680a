import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { locales } from "../../src/locales/index.js";
import { longTalk, makeWorld, readRequest } from "./world.js";

const credentials = [
  "API key is sk-test-0000000000000000000000000000",
  "The project key is sk-proj-Abc123Def456Ghi789Jkl012Mno345Pqr678Stu901Vwx234",
  "DB password is hunter2",
  "数据库密码是 hunter2!x9",
  "Card 4111 1111 1111 1111",
  "ghp_000000000000000000000000000000000000",
  "postgres://admin:s3cr3tpw@db.internal/app",
];

const harmless = [
  "Token cost matters to the user",
  "用户用 1Password 管理密码",
  "Prefers to talk about password policies briefly",
  "Prefers short passwords policy talk",
];

describe("a fact that holds a credential is not stored", () => {
  it("a fact about passwords is, and nothing that was dropped is said anywhere", async () => {
    const reply = JSON.stringify([...credentials, ...harmless].map((content) => ({ content })));
    const { dir, say, contents, logger } = await makeWorld({ replies: [reply] });
    await say(longTalk);
    expect(await contents()).toEqual(harmless);
    const file = await readFile(join(dir, "memory", "memory.json"), "utf8");
    for (const secret of ["sk-test", "sk-proj", "hunter2", "4111", "ghp_", "s3cr3tpw"]) {
      expect(file).not.toContain(secret);
      expect(logger.all).not.toContain(secret);
    }
  });

  it("nor a part of one that the cut to 200 characters would leave", async () => {
    const long = `${"word ".repeat(37)}key sk-proj-Abc123Def456Ghi789Jkl012Mno345Pqr678Stu901Vwx234`;
    expect(long.slice(0, 200)).toContain("sk-proj-");
    const { say, contents } = await makeWorld({
      replies: [JSON.stringify([{ content: long }, { content: "A" }])],
    });
    await say(longTalk);
    expect(await contents()).toEqual(["A"]);
  });
});

describe("a credential is masked before text goes into `waiting.jsonl`", () => {
  it.each(["zh-CN", "en"] as const)("and so in the request (%s)", async (locale) => {
    const { dir, workspace, say, model } = await makeWorld({ locale });
    await say("my key is sk-proj-Abc123Def456Ghi789Jkl012Mno345Pqr678Stu901Vwx234 ok?", {
      answer: "Your key sk-proj-Abc123Def456Ghi789Jkl012Mno345Pqr678Stu901Vwx234 works",
    });
    const queue = await readFile(join(dir, "memory", "waiting.jsonl"), "utf8");
    expect(queue).not.toContain("Abc123");
    await workspace.extractNow();
    const { user, lines } = readRequest(model);
    expect(user).not.toContain("Abc123");
    for (const { content } of lines) expect(content).toContain(locales[locale].extraction.secretMark);
  });
});
