import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { runExample, serveExample } from "./run-example.js";

describe("the chat server", () => {
  test("checks itself with --once, without a key", async () => {
    const { output, errors, code } = await runExample("chat-server.mjs", ["--once"]);
    expect(code).toBe(0);
    expect(output).toMatch(/^model: stand-in-model/);
    expect(output).toMatch(/each was answered from their own memory\n$/);
    expect(errors).toBe("");
  });

  test("streams to each user, keeps their words apart, and ends in order", async () => {
    const dir = await temporaryFolder();
    const server = await serveExample("chat-server.mjs", { PORT: "0", AI_DIR: dir });
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
    const server = await serveExample("chat-server.mjs", { PORT: "0", AI_DIR: await temporaryFolder() });
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

test("the app with the settings page shows each their own memories, and rules and skills to the owner alone", async () => {
  const server = await serveExample("panel.mjs", { PORT: "0" });
  const [link = ""] = (await server.line(/^http/)).split(" ");
  const signIn = async (user: string) => {
    const signedIn = await fetch(link.replace("alice", user), { redirect: "manual" });
    expect(signedIn.status).toBe(303);
    const page = new URL(signedIn.headers.get("location") ?? "", link);
    const [cookie = ""] = (signedIn.headers.get("set-cookie") ?? "").split(";");
    return (path: string, content?: string) =>
      fetch(new URL(`${page.pathname}${path}`, page), {
        headers: { cookie, origin: page.origin, "content-type": "application/json" },
        ...(content !== undefined && { method: "POST", body: JSON.stringify({ content }) }),
      });
  };

  const alice = await signIn("alice");
  const page = await alice("");
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toMatch(/^text\/html/);
  expect((await alice("/api/add-memory", "Alice prefers zsh.")).status).toBe(200);
  const hers = await (await alice("/api/state")).text();
  expect(hers).toContain("Alice prefers zsh.");
  expect(hers).not.toContain('"rules"');

  const owner = await signIn("owner");
  const owners = await (await owner("/api/state")).text();
  expect(owners).toContain('"rules"');
  expect(owners).not.toContain("Alice");

  expect((await fetch(new URL("/settings/memory", link))).status).toBe(401);
  expect(server.errors()).toBe("");
});
