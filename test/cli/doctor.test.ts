import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { useCli } from "./cli-process.js";

const cli = useCli();

interface Report {
  readonly faults: number;
  readonly findings: readonly { level: string; code: string; text: string; cure?: string; values: object }[];
  readonly answers: readonly { question: string; lines: readonly string[] }[];
}

async function doctor(cwd: string, ...args: string[]) {
  const { status, stdout } = await cli.run(["doctor", "--json", ...args], { cwd });
  const report = JSON.parse(stdout) as Report;
  return { status, report, codes: report.findings.map(({ code }) => code) };
}

async function makeFolder() {
  const cwd = await temporaryFolder();
  const dir = join(cwd, "ai");
  for (const name of ["memory", "rules", "skills", "chats"])
    await mkdir(join(dir, name), { recursive: true });
  await chmod(dir, 0o700);
  return { cwd, dir };
}

it("a folder in which all is well has no finding and exit status 0", async () => {
  const { cwd, dir } = await makeFolder();
  await new MemoryWorkspace({ dir }).memories.add("I use pnpm");
  await writeFile(join(dir, "rules", "a.md"), "Use tabs.");
  const { status, report } = await doctor(cwd);
  expect([status, report.faults, report.findings]).toEqual([0, 0, []]);
  const shown = await cli.run(["doctor"], { cwd });
  expect([shown.status, shown.stdout.startsWith(`${dir}: all is well.\n`)]).toEqual([0, true]);
});

it("a folder that is not there is said to be so, and is not made", async () => {
  const cwd = await temporaryFolder();
  expect(await doctor(cwd)).toMatchObject({ status: 0, codes: ["folder-missing"] });
  expect(await doctor(cwd)).toMatchObject({ codes: ["folder-missing"] });
  await writeFile(join(cwd, "file"), "");
  expect(await doctor(cwd, "--dir", "file")).toMatchObject({ status: 1, codes: ["folder-unusable"] });
});

it("every fault of the files is named with its cure, and exit status 1 tells scripts", async () => {
  const { cwd, dir } = await makeFolder();
  const memories = [
    { id: "m-1", content: "the password is hunter2", createdAt: 1, sourceScope: "global" },
    { id: "m-2", content: "x".repeat(250), createdAt: 2, sourceScope: "global" },
    { id: "m-3" },
    "no memory",
  ];
  await writeFile(join(dir, "memory", "memory.json"), JSON.stringify(memories));
  await writeFile(join(dir, "memory", "memory.json.corrupt-1"), "x");
  await writeFile(join(dir, "memory", "waiting.jsonl"), "no json\n");
  await writeFile(join(dir, "chats", "broken.json"), "{");
  const settings = { aiMemoryEnabled: "yes", aiMemoryLimit: 5, aiRulesDisabled: ["renamed.md", "off.md"] };
  await writeFile(join(dir, "settings.json"), JSON.stringify(settings));
  const rules: Record<string, string | Buffer> = {
    "gbk.md": Buffer.from([0xc4, 0xe3, 0xba, 0xc3]),
    "long.md": "x".repeat(9000),
    "off.md": "never",
    "unclosed.md": "---\nname: x\nbody",
    "empty.md": "",
    "secret.md": `token: ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`,
    ".hidden.md": "x",
    "notes.txt": "x",
  };
  for (const [name, content] of Object.entries(rules)) await writeFile(join(dir, "rules", name), content);
  await mkdir(join(dir, "rules", "folder"));
  await symlink(join(dir, "rules", "off.md"), join(dir, "rules", "link.md"));
  const { status, report, codes } = await doctor(cwd);
  expect(status).toBe(1);
  expect([...codes].sort()).toEqual(
    [
      "asset-empty",
      "asset-frontmatter",
      "asset-holds-secret",
      "asset-off",
      "asset-skipped-ending",
      "asset-skipped-folder",
      "asset-skipped-hidden",
      "asset-skipped-link",
      "asset-truncated",
      "asset-unusable",
      "memories-too-long",
      "memories-unusable",
      "memory-holds-secret",
      "moved-aside",
      "session-unreadable",
      "setting-names-no-file",
      "setting-out-of-range",
      "setting-wrong-type",
      "waiting-broken-lines",
    ].sort(),
  );
  expect(report.findings.every(({ text, cure }) => text !== "" && cure !== undefined)).toBe(true);
  expect(report.findings[0]?.level).toBe("fault");
  expect(report.findings.find(({ code }) => code === "asset-unusable")?.text).toContain("not UTF-8");
  const shown = await cli.run(["doctor"], { cwd });
  const chinese = await cli.run(["doctor", "--locale", "zh-CN"], { cwd });
  for (const { stdout } of [shown, chinese]) {
    expect(stdout).not.toMatch(/hunter2|ghp_/u);
    expect(stdout).toContain("rules/gbk.md");
  }
  expect(chinese.stdout).toContain("规则或技能没有被遵循？");
});

it("memory.json that is no array, and settings that are no object, are faults", async () => {
  const { cwd, dir } = await makeFolder();
  await writeFile(join(dir, "memory", "memory.json"), "{}");
  await writeFile(join(dir, "settings.json"), "[]");
  expect(await doctor(cwd)).toMatchObject({
    status: 1,
    codes: ["memories-no-array", "settings-no-object"],
  });
});

it("answers why a skill is not followed", async () => {
  const { cwd, dir } = await makeFolder();
  for (const name of ["a.md", "b.md", "c.md"]) await writeFile(join(dir, "skills", name), "x".repeat(7500));
  await writeFile(join(dir, "skills", "d.md"), "off");
  const workspace = new MemoryWorkspace({ dir });
  await workspace.skills.setEnabled("d.md", false);
  const { report } = await doctor(cwd);
  const [followed] = report.answers;
  expect(followed?.question).toBe("A rule or skill is not followed?");
  expect(followed?.lines).toEqual([
    "skills/a.md: goes into the next model call",
    "skills/b.md: goes into the next model call",
    "skills/c.md is not injected: the files of its kind are over their total limit",
    "skills/d.md is switched off",
  ]);
  await workspace.settings.update({ aiSkillsEnabled: false });
  expect((await doctor(cwd)).report.answers[0]?.lines[0]).toBe("skills are switched off as a whole");
});

it("answers why nothing is learned", async () => {
  const { cwd, dir } = await makeFolder();
  const workspace = new MemoryWorkspace({ dir });
  await workspace.recordTurn(
    "s",
    [
      ["human", "I use pnpm"],
      ["ai", "Noted."],
    ],
    {
      model: { invoke: async () => ({}) } as never,
    },
  );
  const linesOf = async (...args: string[]) => (await doctor(cwd, ...args)).report.answers[1]?.lines;
  expect(await linesOf()).toEqual([
    "memory is switched on",
    "waiting to be learned: 16 of 4000 characters",
    expect.stringContaining("not enough yet"),
    "nothing was ever learned from yet",
    "add puts in a memory by hand",
  ]);
  await workspace.settings.update({ aiMemoryEnabled: false });
  expect((await linesOf())?.[0]).toBe("memory is switched off: nothing is injected or learned");
  expect((await linesOf("--user", "alice"))?.[1]).toBe("waiting to be learned: 0 of 4000 characters");
});
