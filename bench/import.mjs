import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { pairedMedians } from "./median.mjs";

const run = promisify(execFile);
const core = ["memory", "messages", "prompts", "runnables"].map((part) => `@langchain/core/${part}`);

/** Importing the package in a fresh process, against importing what a chain takes of LangChain anyway. */
export async function measureImport() {
  const ours = () => importTime([new URL("../dist/index.mjs", import.meta.url).href]);
  const theirs = () => importTime(core);
  return {
    name: "importing the package",
    against: "importing memory, messages, prompts and runnables of @langchain/core",
    limit: 1.1,
    ...(await pairedMedians(ours, theirs, { warmUp: 1 })),
  };
}

/** Measured inside of the child, so that the start of Node itself is in neither figure. */
async function importTime(modules) {
  const script = `const start = performance.now();
    await Promise.all(${JSON.stringify(modules)}.map((module) => import(module)));
    console.log(performance.now() - start);`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: new URL(".", import.meta.url),
  });
  return Number(stdout);
}
