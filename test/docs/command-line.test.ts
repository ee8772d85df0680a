import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "./pages.js";

test.each(["docs/command-line.md", "docs/command-line.zh-CN.md"])(
  "%s has each command and option",
  async (path) => {
    const text = await readFile(join(root, path), "utf8");
    const command = join(root, "dist", "cli", "index.mjs");
    const { stdout } = await promisify(execFile)(process.execPath, [command, "--help", "--locale", "en"]);
    const [options = "", commands = ""] = stdout.split("Commands:");
    const names = [...commands.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = ""]) => name);
    expect(names).toContain("doctor");
    expect(names.filter((name) => name !== "help" && !new RegExp(`\`${name}\\b`).test(text))).toEqual([]);
    const flags = [...options.matchAll(/^ {2}(?:-h, )?(--[a-z-]+)/gm)].map(([, flag = ""]) => flag);
    expect(flags).toContain("--user");
    const explained = flags.filter((flag) => flag !== "--help" && flag !== "--version");
    expect(explained.filter((flag) => !text.includes(`\`${flag}`))).toEqual([]);
  },
);
