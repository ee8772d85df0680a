import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll } from "vitest";
import { bundle } from "../support/bundle.js";

/** Compiles `child.ts` once for a test file; what it gives runs a task in another process and gives the lines it said. */
export function useChild(): (
  task: string,
  dir: string,
  argument?: string,
  shell?: string,
) => Promise<string[]> {
  let script: { file: string; remove(): Promise<void> };
  const running = new Set<ChildProcess>();
  beforeAll(async () => {
    script = await bundle("test/store/child.ts");
  });
  afterAll(async () => {
    for (const child of running) child.kill("SIGKILL");
    await script.remove();
  });
  return async (task, dir, argument = "", shell = "") => {
    const command = `${shell} exec "$0" "$@"`;
    const child = spawn("sh", ["-c", command, process.execPath, script.file, task, dir, argument], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    running.add(child);
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    const [status] = await once(child, "close");
    running.delete(child);
    if (status !== 0) throw new Error(`the child ended with status ${status}: ${output}`);
    return output.split("\n").filter((line) => line !== "");
  };
}
