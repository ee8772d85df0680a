import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inTemporaryFolder } from "../world.mjs";

const execute = promisify(execFile);
const here = new URL(".", import.meta.url);
const pathOf = (path) => fileURLToPath(new URL(path, here));

/** `npm install` into an empty folder, beside `langchain` and `@langchain/core`: the packages and bytes that each adds to them. */
export function measureInstall({ isQuick }) {
  if (isQuick) return { rows: {} };
  return inTemporaryFolder(async (dir) => {
    const { dependencies } = JSON.parse(await readFile(pathOf("package.json"), "utf8"));
    const optional = JSON.parse(await readFile(pathOf("mem0/package.json"), "utf8")).dependencies;
    const named = (name, from = dependencies) => `${name}@${from[name]}`;
    const base = [named("langchain"), named("@langchain/core")];
    const ours = join(dir, await pack(dir));
    const plain = await installed(dir, base);
    const rows = {};
    for (const [id, packages] of Object.entries({
      ours: [ours],
      deepagents: [named("deepagents")],
      classic: [named("@langchain/classic")],
      store: [named("@langchain/langgraph")],
      mem0: [named("mem0ai", optional)],
    })) {
      const all = await installed(dir, [...base, ...packages]);
      rows[id] = { packages: all.packages - plain.packages, bytes: all.bytes - plain.bytes };
    }
    // Scripts are not run here: what mem0's compiles is taken from where it was compiled.
    const compiled = pathOf("mem0/node_modules/better-sqlite3/build");
    if (existsSync(compiled)) rows.mem0.bytes += await bytesBelow(compiled);
    return { base: plain, isMem0Compiled: existsSync(compiled), rows };
  });
}

async function pack(dir) {
  const options = ["pack", "--json", "--ignore-scripts", "--pack-destination", dir];
  const { stdout } = await execute("npm", options, { cwd: pathOf("../../") });
  return [JSON.parse(stdout)].flat().map((one) => one.filename ?? Object.values(one)[0].filename)[0];
}

let number = 0;

async function installed(dir, packages) {
  const folder = join(dir, `app-${number++}`);
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{ "private": true }');
  const options = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", ...packages];
  await execute("npm", options, { cwd: folder, timeout: 240_000 });
  const modules = join(folder, "node_modules");
  const lock = JSON.parse(await readFile(join(modules, ".package-lock.json"), "utf8"));
  return { packages: Object.keys(lock.packages).length, bytes: await bytesBelow(modules) };
}

async function bytesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await lstat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
