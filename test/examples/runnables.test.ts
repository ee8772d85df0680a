import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

const examples = fileURLToPath(new URL("../../examples/", import.meta.url));

interface Example {
  readonly child: ChildProcess;
  readonly lines: string[];
  /** The first line that matches, now or later. */
  line(pattern: RegExp): Promise<string>;
  /** The exit code, once all output is read. */
  readonly ended: Promise<number | null>;
  errors(): string;
}

test("the LCEL chain streams its answer, and knows in the second session what was said in the first", async () => {
  const { ended, lines, errors } = await start("lcel-chain.mjs");
  expect(await ended).toBe(0);
  expect(lines.join("\n")).toMatch(/What I was sent says: .*conclusion first/);
  expect(errors()).toBe("");
});

test("the chat server checks itself with --once, without a key", async () => {
  const { ended, lines, errors } = await start("chat-server.mjs", ["--once"]);
  expect(await ended).toBe(0);
  expect(lines[0]).toContain("stand-in-model");
  expect(lines.at(-1)).toBe("each was answered from their own memory");
  expect(errors()).toBe("");
});

describe("the chat server", () => {
  test("streams to each user, keeps their words apart, and ends in order", async () => {
    const dir = await temporaryFolder();
    const server = await start("chat-server.mjs", [], { PORT: "0", AI_DIR: dir });
    const url = (await server.line(/^listening on/)).replace("listening on ", "");
    const say = (token: string, text: string) =>
      fetch(`${url}/chat/monday`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: text,
      });

    const answers = await Promise.all([
      say("ann-token", "I am Ann and I use zsh."),
      say("ben-token", "I am Ben and I use fish."),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get("transfer-encoding")).toBe("chunked");
      expect(await answer.text()).not.toBe("");
    }
    const waiting = (user: string) => readFile(join(dir, "users", user, "memory", "waiting.jsonl"), "utf8");
    expect(await waiting("ann")).toContain("zsh");
    expect(await waiting("ann")).not.toContain("fish");
    expect(await waiting("ben")).toContain("fish");
    expect(await waiting("ben")).not.toContain("zsh");

    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(server.errors()).toBe("");
  });

  test("serves nobody without a login, and refuses what it can't use", async () => {
    const server = await start("chat-server.mjs", [], { PORT: "0", AI_DIR: await temporaryFolder() });
    const url = (await server.line(/^listening on/)).replace("listening on ", "");
    const status = async (path: string, init: RequestInit = {}) => (await fetch(url + path, init)).status;
    const headers = { authorization: "Bearer ann-token" };
    expect(await status("/chat/monday", { method: "POST", body: "hi" })).toBe(401);
    expect(await status("/memories", { headers: { authorization: "Bearer ann" } })).toBe(401);
    expect(await status("/memories", { headers })).toBe(200);
    expect(await status("/chat/..%2Fx", { method: "POST", headers, body: "hi" })).toBe(404);
    expect(await status("/chat/monday", { method: "POST", headers, body: " " })).toBe(400);
    expect(await status("/chat/monday", { method: "POST", headers, body: "hi" })).toBe(200);
  });
});

/** Starts an example as a user would, without a key; what it leaves behind goes with the test. */
async function start(
  file: string,
  args: readonly string[] = [],
  more: Record<string, string> = {},
): Promise<Example> {
  const { OPENAI_API_KEY: _, ...env } = process.env;
  const child = spawn(process.execPath, [join(examples, file), ...args], {
    env: { ...env, TMPDIR: await temporaryFolder(), ...more },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(line));
  let errors = "";
  child.stderr.on("data", (piece) => {
    errors += piece;
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    child,
    lines,
    ended,
    errors: () => errors,
    async line(pattern) {
      for (;;) {
        const found = lines.find((line) => pattern.test(line));
        if (found !== undefined) return found;
        await Promise.race([once(reader, "line"), ended]);
        if (child.exitCode !== null) throw new Error(`${file} ended: ${errors}`);
      }
    },
  };
}
