import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs a command to its end and gives what it printed; rejects, with all of that, where its exit status is not 0. */
export async function command(
  cwd: string,
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const { stdout } = await run(file, [...args], {
      cwd,
      env: { ...process.env, NODE_OPTIONS: "", ...environment },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${file} ${args.join(" ")} failed:\n${stdout}\n${stderr}`);
  }
}

export function node(
  cwd: string,
  file: string,
  environment?: Readonly<Record<string, string>>,
): Promise<string> {
  return command(cwd, process.execPath, [file], environment);
}
