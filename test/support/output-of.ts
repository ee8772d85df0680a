import type { ChildProcess } from "node:child_process";

/** All that a child process has printed, and its exit status, when it has ended. */
export async function outputOf(child: ChildProcess) {
  let output = "";
  let errors = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    errors += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { output, errors, code };
}
