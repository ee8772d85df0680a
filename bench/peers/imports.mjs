import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median } from "../median.mjs";
import { Collected, rounded } from "./collected.mjs";
import { hasMem0, mem0Path } from "./mem0.mjs";
import { oursPath } from "./ours.mjs";

const execute = promisify(execFile);
const folder = fileURLToPath(new URL(".", import.meta.url));

/** Importing in a fresh process, all in turn: alone, and in an app that has imported `langchain` already. */
export async function measureImports({ isQuick }) {
  const repetitions = isQuick ? 1 : 5;
  const modules = {
    langchain: ["langchain"],
    ours: [oursPath("index.mjs")],
    "ours-middleware": [oursPath("index.mjs"), oursPath("middleware/index.mjs")],
    classic: ["@langchain/classic/memory"],
    store: ["@langchain/langgraph"],
    ...(existsSync(new URL("node_modules/deepagents", import.meta.url))
      ? { deepagents: ["deepagents"] }
      : {}),
    ...(hasMem0() ? { mem0: [mem0Path()] } : {}),
  };
  const times = new Collected();
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const [id, paths] of Object.entries(modules)) {
      times.add(id, "alone", await importTime([], paths));
      times.add(id, "beside", await importTime(["langchain"], paths));
    }
  }
  const unit = times.rows(median).langchain.alone;
  return { repetitions, rows: times.rows((values) => rounded(median(values) / unit)) };
}

/** Measured inside of the process, so that the start of Node itself is not in it. */
async function importTime(before, modules) {
  const all = (paths) => `await Promise.all(${JSON.stringify(paths)}.map((path) => import(path)));`;
  const script = `${all(before)} const start = performance.now(); ${all(modules)}
    process.stdout.write(String(performance.now() - start), () => process.exit(0));`;
  const { stdout } = await execute(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: folder,
  });
  return Number(stdout);
}
