import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { outputOf } from "../support/output-of.js";
import { temporaryFolder } from "../support/temporary-folder.js";

export const examples = fileURLToPath(new URL("../../examples/", import.meta.url));

type Environment = Readonly<Record<string, string>>;

/** An example that serves until it is told to end. */
export interface Serving {
  readonly child: ChildProcess;
  /** The first line that matches, now or later. */
  line(pattern: RegExp): Promise<string>;
  /** The exit status, once all output is read. */
  readonly ended: Promise<number | null>;
  errors(): string;
}

/** Runs an example to its end. */
export async function runExample(file: string, args: readonly string[] = [], environment: Environment = {}) {
  return outputOf(await spawnExample(file, args, environment));
}

export async function serveExample(file: string, environment: Environment = {}): Promise<Serving> {
  const child = await spawnExample(file, [], environment);
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> });
  reader.on("line", (line) => lines.push(line));
  let errors = "";
  child.stderr?.on("data", (piece) => {
    errors += piece;
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    child,
    ended,
    errors: () => errors,
    async line(pattern) {
      for (;;) {
        const found = lines.find((line) => pattern.test(line));
        if (found !== undefined) return found;
        await Promise.race([once(reader, "line"), ended]);
        if (child.exitCode !== null) throw new Error(`${file} ended: ${errors}`);
      }
    },
  };
}

/** As a user would, without a key, in an empty folder; what it leaves behind goes with the test. */
async function spawnExample(
  file: string,
  args: readonly string[],
  environment: Environment,
): Promise<ChildProcess> {
  const { OPENAI_API_KEY: _, DATABASE_URL: __, OLLAMA_HOST: ___, ...env } = process.env;
  const cwd = await temporaryFolder();
  return spawn(process.execPath, [join(examples, file), ...args], {
    cwd,
    env: { ...env, TMPDIR: cwd, ...environment },
  });
}
