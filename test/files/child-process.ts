import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll } from "vitest";
import { bundle } from "../support/bundle.js";

export interface RunningChild {
  /** Lines on stdout so far; a line cut off by a kill is not among them. */
  readonly lines: readonly string[];
  /** Resolves with the first line. */
  started(): Promise<string>;
  /** Resolves when the child has ended by itself, with its exit status. */
  ended(): Promise<number | null>;
  kill(): Promise<void>;
}

export type StartChild = (task: string, path: string, argument?: string, shell?: string) => RunningChild;

/** Compiles a child's script once for a test file; gives what starts it. `shell` is put before it, as in `ulimit -f 40;`. */
export function useChild(entry = "test/files/child.ts"): StartChild {
  let script: { file: string; remove(): Promise<void> };
  const children = new Set<ChildProcess>();
  beforeAll(async () => {
    script = await bundle(entry);
  });
  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL");
    await script.remove();
  });
  return (task, path, argument = "", shell = "") => {
    const command = `${shell} exec "$0" "$@"`;
    const child = spawn("sh", ["-c", command, process.execPath, script.file, task, path, argument], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.add(child);
    return watch(child);
  };
}

function watch(child: ChildProcess): RunningChild {
  const lines: string[] = [];
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const pieces = (rest + text).split("\n");
    rest = pieces.pop() ?? "";
    lines.push(...pieces);
    child.emit("line");
  });
  const closed = once(child, "close");
  return {
    lines,
    async started() {
      while (lines.length === 0) await Promise.race([once(child, "line"), closed.then(refuse)]);
      return lines[0] ?? "";
    },
    async ended() {
      const [status] = await closed;
      return status as number | null;
    },
    async kill() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

function refuse(): never {
  throw new Error("the child ended without a word");
}
