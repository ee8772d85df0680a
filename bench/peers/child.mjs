import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Runs a script of this folder and gives what its last line says. */
export async function runChild(script, ...args) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { stdout } = await execute(process.execPath, [path, ...args], {
    maxBuffer: 1 << 26,
    timeout: 900_000,
    env: { ...process.env, LANGSMITH_TRACING: "false" },
  });
  return JSON.parse(stdout.trim().split("\n").at(-1));
}
