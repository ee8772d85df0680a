import { spawn } from "node:child_process";
import { afterAll, beforeAll } from "vitest";
import { bundle } from "../support/bundle.js";

export interface CliRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Builds the command for the tests of a file. Call `run` as one would type it, in a process of its own. */
export function useCli() {
  let built: Awaited<ReturnType<typeof bundle>>;
  beforeAll(async () => {
    built = await bundle("src/cli/index.ts");
  });
  afterAll(() => built.remove());

  const environment = (env: NodeJS.ProcessEnv = {}) => ({
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LANG: "en_US.UTF-8",
    ...env,
  });

  return {
    get file(): string {
      return built.file;
    },
    environment,
    run: (args: readonly string[], { cwd, input = "", env }: CliOptions) =>
      collect(spawn(process.execPath, [built.file, ...args], { cwd, env: environment(env) }), input),
    /** The same for a command that goes on until it is ended. */
    start: (args: readonly string[], { cwd, env }: CliOptions) =>
      spawn(process.execPath, [built.file, ...args], { cwd, env: environment(env) }),
    /** In a pseudo-terminal, as `script` makes one; both outputs are one there. */
    runInTerminal: (args: readonly string[], { cwd, input = "", env }: CliOptions) => {
      const quoted = [process.execPath, built.file, ...args].map(
        (one) => `'${one.replaceAll("'", "'\\''")}'`,
      );
      const command = ["-qec", quoted.join(" "), "/dev/null"];
      const child = spawn("script", command, { cwd, env: environment({ TERM: "xterm", ...env }) });
      return collect(child, input);
    },
  };
}

async function collect(child: ReturnType<typeof spawn>, input: string): Promise<CliRun> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr?.setEncoding("utf8").on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", reject);
  });
  return { status, stdout, stderr };
}
