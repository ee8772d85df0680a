import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { sendStatus, startModelServer } from "../support/model-server.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { useCli } from "./cli-process.js";

const cli = useCli();

async function openFolder() {
  const cwd = await temporaryFolder();
  const dir = join(cwd, "ai");
  const workspace = new MemoryWorkspace({ dir, logger: { warn() {}, error() {} } });
  const run = (...args: string[]) => cli.run(args, { cwd });
  const json = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(...args, "--json");
    return { status, value: JSON.parse(stdout), stderr };
  };
  const wait = (sessionId: string, text: string) =>
    workspace.recordTurn(
      sessionId,
      [
        { role: "user", content: text },
        { role: "assistant", content: "Noted." },
      ],
      { model: { invoke: async () => ({}) } as never },
    );
  return { cwd, dir, workspace, run, json, wait };
}

async function writeAssets(dir: string, kind: "rules" | "skills", files: Record<string, string | Buffer>) {
  await mkdir(join(dir, kind), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, kind, name), text);
}

describe("memories", () => {
  it("are listed, added, corrected and deleted, and the file on the disk holds it", async () => {
    const { dir, run, json } = await openFolder();
    expect((await run("list")).stdout).toBe(
      "Preferences and facts from your conversations will be recorded here\n",
    );
    expect((await run("add", "I", "use", "pnpm")).stdout).toMatch(/^Added \([0-9a-f]{8}\)\.\n$/u);
    expect((await run("add", "I use pnpm")).stdout).toContain("not added twice");
    const { value: items } = await json("list");
    expect(items).toEqual(JSON.parse(await readFile(join(dir, "memory", "memory.json"), "utf8")));
    const id = items[0].id as string;
    const listed = await run("list", "--search", "PNPM");
    expect(listed.stdout).toMatch(new RegExp(`${id.slice(0, 8)} .* global {2}I use pnpm\n1 in all`, "u"));
    expect((await run("edit", id.slice(0, 6), "I use npm")).status).toBe(0);
    expect((await json("list")).value).toMatchObject([{ id, content: "I use npm" }]);
    expect((await json("remove", id)).value).toEqual({ removed: 1 });
    expect((await json("list")).value).toEqual([]);
  });

  it("the content may come from standard input", async () => {
    const { cwd, json } = await openFolder();
    expect((await cli.run(["add", "-"], { cwd, input: "from a pipe\n" })).status).toBe(0);
    expect((await json("list")).value).toMatchObject([{ content: "from a pipe" }]);
  });

  it("what is refused has a reason in words, a code in JSON and exit status 1", async () => {
    const { run, json } = await openFolder();
    const empty = await run("add", "  ");
    expect(empty).toEqual({ status: 1, stdout: "", stderr: "error: The content must not be empty.\n" });
    const long = await json("add", "x".repeat(201));
    expect([long.status, long.value.error.code]).toEqual([1, "ERR_MEMORY_TOO_LONG"]);
    expect((await json("remove", "nobody")).value.error.code).toBe("ERR_MEMORY_NOT_FOUND");
  });

  it("a beginning of an id that fits two memories deletes neither", async () => {
    const { dir, run, workspace } = await openFolder();
    await mkdir(join(dir, "memory"), { recursive: true });
    const items = ["m-1", "m-2", "m-10"].map((id, index) => ({
      id,
      content: id,
      createdAt: index,
      sourceScope: "global",
    }));
    await writeFile(join(dir, "memory", "memory.json"), JSON.stringify(items));
    expect((await run("remove", "m-")).status).toBe(1);
    expect((await run("remove", "m-2", "nobody")).status).toBe(1);
    expect(await workspace.memories.list()).toHaveLength(3);
    expect((await run("remove", "m-1")).status).toBe(0);
    expect((await workspace.memories.list()).map(({ id }) => id)).toEqual(["m-2", "m-10"]);
  });

  it("--user sees and changes that user's alone, --dir another folder", async () => {
    const { cwd, run, workspace } = await openFolder();
    await run("--user", "alice", "add", "hers");
    await run("add", "elsewhere", "--dir", "other");
    expect(await workspace.memories.list()).toEqual([]);
    expect(await workspace.forUser("alice").memories.list()).toMatchObject([{ content: "hers" }]);
    expect(await new MemoryWorkspace({ dir: join(cwd, "other") }).memories.list()).toHaveLength(1);
  });
});

describe("pinned memories", () => {
  it("are marked in the list until they are unpinned, by the beginnings of their ids", async () => {
    const { run, json, workspace } = await openFolder();
    const [one, two, three] = await Promise.all(
      ["one", "two", "three"].map((text) => workspace.memories.add(text)),
    );
    const short = (item?: { id: string }) => item?.id.slice(0, 12) ?? "";
    expect((await run("pin", short(one), short(two))).stdout).toBe("2 pinned.\n");
    const { stdout } = await run("list");
    expect(stdout).toMatch(/ \[pinned\] one\n/u);
    expect(stdout).toMatch(/ three\n/u);
    expect((await run("unpin", short(two))).stdout).toBe("1 unpinned.\n");
    const { value } = await json("list");
    expect(value.map(({ id, pinned }: { id: string; pinned?: true }) => [id, pinned])).toEqual(
      expect.arrayContaining([
        [one?.id, true],
        [two?.id, undefined],
        [three?.id, undefined],
      ]),
    );
    expect((await json("pin", short(three))).value).toEqual([{ ...three, pinned: true }]);
    expect((await json("pin", "nobody")).value.error.code).toBe("ERR_MEMORY_NOT_FOUND");
  });

  it("more than fit are refused in words, and with a code in JSON", async () => {
    const { dir, run, json, workspace } = await openFolder();
    await writeFile(join(dir, "..", "options.json"), JSON.stringify({ memoryBudget: 256, locale: "en" }));
    const { id } = await workspace.memories.add("x".repeat(200));
    const refused = await run("pin", id, "--options", "options.json");
    expect([refused.status, refused.stderr]).toEqual([
      1,
      "error: Too much is pinned: more than the limit or the budget of memories holds. Unpin some first.\n",
    ]);
    const { value } = await json("pin", id, "--options", "options.json");
    expect(value.error.code).toBe("ERR_MEMORY_PINNED_LIMIT");
    expect((await workspace.memories.list())[0]).not.toHaveProperty("pinned");
  });
});

describe("where a memory comes from", () => {
  const source = { sessionIds: ["s-1", "global"], messageIds: ["m-1", "m-2"], learnedAt: 1_767_225_600_000 };
  const item = { id: "m-1", content: "uses zsh", createdAt: 5, sourceScope: "global", pinned: true, source };

  it("is shown with sessions, times and messages, whole in JSON", async () => {
    const { run, json, workspace } = await openFolder();
    const corrected = { ...source, byHandAt: 1_767_225_600_000 };
    await workspace.memories.save([item, { ...item, id: "m-2", content: "two", source: corrected }]);
    const { stdout } = await run("show", "m-1");
    expect(stdout).toMatch(/^uses zsh\n\nid: m-1\ntime: [\d: -]{16}\nstate: pinned\n/u);
    expect(stdout).toMatch(
      /source: s-1, global\nlearned at: 202[56]-[\d-]{5} [\d:]{5}\nmessages: m-1, m-2\n$/u,
    );
    expect((await run("show", "m-2")).stdout).toMatch(/corrected by a person at: 202[56]-/u);
    expect((await json("show", "m-1")).value).toEqual(item);
    expect((await json("list")).value).toContainEqual(item);
  });

  it("says of one that was written that it was not learned, in Chinese too", async () => {
    const { run, workspace } = await openFolder();
    const { id } = await workspace.memories.add("by hand");
    expect((await run("show", id)).stdout).toMatch(
      /source: global\nlearned at: not learned: it was written\n$/u,
    );
    const { stdout } = await run("show", id, "--locale", "zh-CN");
    expect(stdout).toMatch(/来源: 全局\n学到于: 不是学到的，是写入的\n$/u);
  });

  it("goes along with its session only where that is asked for", async () => {
    const { run, json, workspace, wait } = await openFolder();
    await workspace.memories.save([
      { ...item, content: "of it" },
      { id: "x", content: "of another", createdAt: 6, sourceScope: "s-2" },
    ]);
    await wait("s-1", "hello");
    expect((await run("sessions", "remove", "s-1")).stdout).toBe("The session was removed.\n");
    expect(await workspace.memories.list()).toHaveLength(2);
    expect((await run("sessions", "remove", "s-1", "--learned")).stdout).toBe(
      "The session was removed.\n1 deleted.\n",
    );
    expect(await workspace.memories.list()).toMatchObject([{ content: "of another" }]);
    expect((await json("sessions", "remove", "s-2", "--learned")).value).toEqual({
      removed: true,
      forgotten: 1,
    });
    expect((await run("sessions", "remove", "s-2", "--learned")).status).toBe(1);
  });
});

describe("clear", () => {
  it("without a terminal and without --yes it refuses, and says how much waits", async () => {
    const { run, workspace, wait, cwd } = await openFolder();
    await workspace.memories.add("fact");
    await wait("s-1", "I use pnpm");
    const refused = await run("clear");
    expect([refused.status, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain("All 1 memories will be deleted");
    expect(refused.stderr).toContain("2 messages (16 characters from 1 sessions)");
    expect(refused.stderr).toContain("add --yes");
    expect((await cli.run(["clear"], { cwd, input: "y\ny\n" })).status).toBe(1);
    expect(await workspace.memories.list()).toHaveLength(1);
  });

  it("--yes clears what is remembered, --waiting also what waits", async () => {
    const { json, workspace, wait } = await openFolder();
    await workspace.memories.add("fact");
    await wait("s-1", "I use pnpm");
    expect((await json("clear", "--yes")).value).toEqual({ cleared: 1, waitingDropped: 0 });
    expect((await workspace.waiting.count()).messages).toBe(2);
    expect((await json("clear", "--yes", "--waiting")).value).toEqual({ cleared: 0, waitingDropped: 2 });
    expect((await workspace.waiting.count()).messages).toBe(0);
  });

  it("at a terminal it asks, says how much waits, and asks whether to drop that too", async () => {
    const { cwd, workspace, wait } = await openFolder();
    await workspace.memories.add("fact");
    await wait("s-1", "I use pnpm");
    const said = await cli.runInTerminal(["clear"], { cwd, input: "n\nn\n" });
    expect(said.status).toBe(1);
    expect(said.stdout).toContain("2 messages (16 characters from 1 sessions)");
    expect(said.stdout).toContain("Also drop what waits to be learned?");
    expect(said.stdout).toContain("Nothing was cleared.");
    expect(await workspace.memories.list()).toHaveLength(1);
    const agreed = await cli.runInTerminal(["clear"], { cwd, input: "y\ny\n" });
    expect([agreed.status, agreed.stdout.includes("1 memories were cleared.")]).toEqual([0, true]);
    expect(await workspace.memories.list()).toEqual([]);
    expect((await workspace.waiting.count()).messages).toBe(0);
  });
});

describe("rules and skills", () => {
  it("are listed, shown and switched, each kind by itself", async () => {
    const { dir, run, json, workspace } = await openFolder();
    await writeAssets(dir, "rules", {
      "a.md": "---\nname: First\ndescription: What it is\n---\nUse tabs.\n",
    });
    await writeAssets(dir, "skills", { "a.md": "x".repeat(9000) });
    expect((await run("rules")).stdout).toMatch(/on +\d+ B +a\.md +First +What it is\n1 files/u);
    expect((await run("skills", "list")).stdout).toContain("on truncated");
    expect((await run("rules", "show", "a.md")).stdout).toBe(await workspace.rules.read("a.md"));
    expect((await run("rules", "disable", "a.md")).stdout).toBe("a.md is off.\n");
    expect((await json("rules", "list")).value).toMatchObject([{ filename: "a.md", enabled: false }]);
    expect((await json("skills", "list")).value).toMatchObject([{ filename: "a.md", enabled: true }]);
    await run("rules", "enable", "a.md");
    expect((await workspace.settings.get()).aiRulesDisabled).toEqual([]);
    for (const name of ["b.md", "../settings.json"]) {
      expect((await json("rules", "show", name)).value.error.code).toBe("ERR_ASSET_NOT_FOUND");
      expect((await run("rules", "disable", name)).status).toBe(1);
    }
  });

  it("open starts the file manager on the folder, and says where it is if there is none", async () => {
    const { cwd, dir, json } = await openFolder();
    const bin = join(cwd, "bin");
    await mkdir(bin);
    await writeFile(join(bin, "xdg-open"), `#!/bin/sh\necho "$1" > ${cwd}/opened\n`, { mode: 0o755 });
    const run = await cli.run(["skills", "open"], { cwd, env: { PATH: `${bin}:${process.env.PATH}` } });
    expect([run.status, run.stdout]).toEqual([0, `Opened ${join(dir, "skills")}\n`]);
    expect(await readFile(join(cwd, "opened"), "utf8")).toBe(`${join(dir, "skills")}\n`);
    const without = await cli.run(["skills", "open", "--json"], { cwd, env: { PATH: join(cwd, "none") } });
    expect([without.status, JSON.parse(without.stdout)]).toEqual([
      1,
      { folder: join(dir, "skills"), opened: false },
    ]);
    expect((await json("skills", "list")).value).toEqual([]);
  });
});

describe("settings", () => {
  it("are shown and changed, and what does not fit is refused", async () => {
    const { dir, run, json } = await openFolder();
    expect((await run("settings")).stdout).toMatch(/memory +on\nlimit +100\nrules +on\nskills +on\n/u);
    expect((await run("settings", "set", "memory", "off")).status).toBe(0);
    expect((await run("settings", "set", "aiMemoryLimit", "250")).status).toBe(0);
    expect((await run("settings", "get", "limit")).stdout).toBe("250\n");
    expect((await json("settings", "get", "memory")).value).toBe(false);
    expect(JSON.parse(await readFile(join(dir, "settings.json"), "utf8"))).toEqual({
      aiMemoryEnabled: false,
      aiMemoryLimit: 250,
    });
    for (const [name, value, status] of [
      ["limit", "5", 1],
      ["limit", "many", 1],
      ["limit", "", 1],
      ["memory", "perhaps", 2],
      ["volume", "11", 2],
    ] as const) {
      expect([name, (await run("settings", "set", name, value)).status]).toEqual([name, status]);
    }
  });
});

describe("context", () => {
  it("shows exactly what the next call gets, with bytes against each budget and what is left out", async () => {
    const { dir, run, json, workspace } = await openFolder();
    await writeAssets(dir, "rules", {
      "a.md": "Use tabs.",
      "b.md": "x".repeat(8000),
      "c.md": "y".repeat(8000),
      "d.md": "z".repeat(8000),
      "off.md": "never",
    });
    await workspace.rules.setEnabled("off.md", false);
    await workspace.memories.add("I use pnpm");
    const { text, segments } = await workspace.assembleContext();
    const { value } = await json("context");
    expect(value.text).toBe(text);
    expect(value.segments).toEqual(segments);
    expect(value.budgets[0]).toMatchObject({
      kind: "rules",
      bytes: segments[0]?.bytes,
      budget: 16_384,
      leftOut: [
        { id: "d.md", reason: "budget" },
        { id: "off.md", reason: "off" },
      ],
    });
    const { stdout } = await run("context");
    expect(stdout.startsWith(`${text}\n`)).toBe(true);
    expect(stdout).toContain("- rules d.md: over the total limit");
    expect(stdout).toContain("- rules off.md: switched off");
  });

  it("--query is what the user says now, where memories are chosen by it", async () => {
    const { cwd, run, workspace } = await openFolder();
    await workspace.memories.add("The dog of the user is called Waldo");
    for (let number = 0; number < 12; number++)
      await workspace.memories.add(`Meeting ${number} took an hour`);
    await writeFile(join(cwd, "memory-options.json"), '{"selection":"relevant","memoryBudget":256}');
    const asked = await run(
      "context",
      "--options",
      "memory-options.json",
      "--query",
      "What is my dog called?",
    );
    expect(asked.stdout).toContain("Waldo");
    const other = await run(
      "context",
      "--options",
      "memory-options.json",
      "--query",
      "How long was meeting 11?",
    );
    expect(other.stdout).not.toContain("Waldo");
  });

  it("--options are the app's own options, so that budgets and language are the app's", async () => {
    const { cwd, run, workspace } = await openFolder();
    await workspace.memories.add("I use pnpm");
    await writeFile(join(cwd, "memory-options.json"), '{"locale":"en","memoryBudget":512}');
    expect((await run("context")).stdout).toContain("# 跨会话记忆");
    const { stdout } = await run("context", "--options", "memory-options.json");
    expect(stdout).toContain("# Cross-session memory");
    expect(stdout).toContain("512 B");
    expect((await run("context", "--options", "missing.json")).status).toBe(2);
    await writeFile(join(cwd, "memory-options.json"), '{"limit":5}');
    const wrong = await run("context", "--options", "memory-options.json");
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      "error: limit must be an integer from 10 to 1000, got 5\n",
    ]);
  });
});

describe("sessions and extraction", () => {
  it("sessions are listed with what waits, and removed", async () => {
    const { run, json, wait } = await openFolder();
    expect((await run("sessions")).stdout).toBe("There are no sessions yet.\n");
    await wait("session-one", "I use pnpm");
    expect((await run("sessions")).stdout).toMatch(/2\/16 +never +session-one/u);
    expect((await json("sessions", "list")).value).toMatchObject({
      sessions: [{ sessionId: "session-one", waiting: { messages: 2, characters: 16 } }],
      waiting: { messages: 2, characters: 16, sessions: 1 },
    });
    expect((await run("sessions", "remove", "session-one")).status).toBe(0);
    expect((await json("sessions", "remove", "session-one")).value.error.code).toBe("ERR_SESSION_NOT_FOUND");
  });

  it("extract learns with the model that the environment names, and says so where it can't", async () => {
    const { cwd, run, workspace, wait } = await openFolder();
    await wait("s-1", "I use pnpm");
    const without = await run("extract");
    expect([without.status, without.stderr]).toEqual([1, expect.stringContaining("OPENAI_API_KEY")]);
    let works = false;
    const server = await startModelServer(() =>
      works ? '[{"content":"The user uses pnpm"}]' : sendStatus(401),
    );
    const env = { OPENAI_API_KEY: "none", OPENAI_MODEL: "any", OPENAI_BASE_URL: server.baseURL };
    const failed = await cli.run(["extract"], { cwd, env });
    expect([failed.status, failed.stderr.includes("401")]).toEqual([1, true]);
    works = true;
    const done = await cli.run(["extract", "--json"], { cwd, env });
    expect([done.status, JSON.parse(done.stdout)]).toMatchObject([0, { stored: 1, remaining: 0 }]);
    expect(await workspace.memories.list()).toMatchObject([
      { content: "The user uses pnpm", sourceScope: "s-1" },
    ]);
    expect((await cli.run(["extract"], { cwd, env })).stdout).toBe("Nothing waits to be learned.\n");
    await workspace.settings.update({ aiMemoryEnabled: false });
    expect((await cli.run(["extract"], { cwd, env })).stderr).toContain("switched off");
  });

  it("usage is shown by day", async () => {
    const { cwd, run, json, wait } = await openFolder();
    expect((await run("usage")).stdout).toBe("No usage is recorded yet.\n");
    await wait("s-1", "I use pnpm");
    const server = await startModelServer(() => '[{"content":"The user uses pnpm"}]');
    const env = { OPENAI_API_KEY: "none", OPENAI_MODEL: "any", OPENAI_BASE_URL: server.baseURL };
    await cli.run(["extract"], { cwd, env });
    const { value } = await json("usage");
    expect(value).toMatchObject([{ requests: expect.any(Number), stored: 1, failures: 0 }]);
    expect(value[0].requests).toBeGreaterThan(0);
    expect((await run("usage")).stdout).toContain(value[0].day);
  });
});

describe("how it speaks", () => {
  it("in the language of the environment, or of --locale", async () => {
    const { cwd } = await openFolder();
    const list = async (args: string[], env: NodeJS.ProcessEnv) => (await cli.run(args, { cwd, env })).stdout;
    const chinese = "对话中产生的偏好与事实将自动记录在这里\n";
    expect(await list(["list"], { LANG: "zh_CN.UTF-8" })).toBe(chinese);
    expect(await list(["list"], { LANG: "zh_CN.UTF-8", LC_ALL: "C" })).not.toBe(chinese);
    expect(await list(["list", "--locale", "zh-CN"], {})).toBe(chinese);
    expect(await list(["--locale=zh-CN", "list"], {})).toBe(chinese);
    const help = await list(["--help"], { LC_ALL: "zh_TW.UTF-8" });
    expect(help).toContain("命令：");
    expect((await cli.run(["list", "--locale", "fr"], { cwd })).status).toBe(2);
  });

  it("its help fits a screen", async () => {
    const { cwd } = await openFolder();
    for (const args of [[], ["clear"], ["rules"], ["settings"], ["sessions"], ["panel"]]) {
      for (const LANG of ["en_US.UTF-8", "zh_CN.UTF-8"]) {
        const { status, stdout } = await cli.run([...args, "--help"], { cwd, env: { LANG } });
        const lines = stdout.split("\n");
        expect(status).toBe(0);
        expect(lines.length).toBeLessThanOrEqual(40);
        expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
      }
    }
  });

  it("called wrongly it says what is wrong, with exit status 2", async () => {
    const { run, json } = await openFolder();
    for (const args of [
      ["frobnicate"],
      ["list", "--nope"],
      ["add"],
      ["list", "x"],
      ["panel", "--port", "x"],
      ["--dir"],
    ]) {
      const { status, stdout, stderr } = await run(...args);
      expect([args, status, stdout]).toEqual([args, 2, ""]);
      expect(stderr).toMatch(/^error: .+\n$/u);
    }
    expect((await json("frobnicate")).value.error.code).toBe("ERR_USAGE");
    expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
  });

  it("without a command it shows the help, with exit status 2", async () => {
    const { run, json } = await openFolder();
    const { status, stdout, stderr } = await run();
    expect([status, stderr]).toEqual([2, ""]);
    expect(stdout).toBe((await run("--help")).stdout);
    expect((await json()).value.error).toEqual({
      code: "ERR_USAGE",
      message: "No command was given. --help shows how it is used.",
    });
  });

  it("colours and cut lines are for a terminal, a pipe gets neither", async () => {
    const { cwd, workspace } = await openFolder();
    await workspace.memories.add(`\u001b[31m${"long ".repeat(38)}`.slice(0, 195));
    const colour = "\u001b[2m";
    const seen = await cli.runInTerminal(["list"], { cwd });
    expect(seen.stdout).toContain(colour);
    expect(seen.stdout).not.toContain("\u001b[31m");
    expect((await cli.runInTerminal(["list", "--no-color"], { cwd })).stdout).not.toContain("\u001b[");
    expect((await cli.runInTerminal(["list"], { cwd, env: { NO_COLOR: "1" } })).stdout).not.toContain(
      "\u001b[",
    );
    const piped = await cli.run(["list"], { cwd });
    expect(piped.stdout).not.toContain("\u001b");
    expect(piped.stdout).toContain("long ".repeat(30));
  });

  it("a file's text can't command the terminal that shows it, and is exact in a pipe", async () => {
    const { cwd, dir } = await openFolder();
    const hostile = "# Title\n\u001b]0;owned\u0007\u001b[2Jtext\tend\n";
    await writeAssets(dir, "rules", { "a.md": hostile });
    const seen = await cli.runInTerminal(["rules", "show", "a.md"], { cwd });
    expect(seen.stdout).toContain("text\tend");
    expect(seen.stdout).not.toContain("\u001b");
    expect(seen.stdout).not.toContain("\u0007");
    expect((await cli.run(["rules", "show", "a.md"], { cwd })).stdout).toBe(hostile);
  });
});
