import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmod, cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import ts from "typescript";
import { outputOf } from "../support/output-of.js";
import { root } from "./pages.js";

/** Calls what a program exports for a server, as the platform would. */
const visit = `
import * as program from "./program.mjs";
const { POST: handle = program.handle } = program;
if (handle !== undefined) {
  const body = JSON.stringify({ input: "hi", session: "session-1" });
  const response = await handle(new Request("http://localhost/", { method: "POST", body }), (work) => work);
  if (!response.ok) throw new Error(await response.text());
  console.log(await response.text());
}
`;

/**
 * A place where a program finds this checkout's build as `langchain-cross-session-memory`, its command on the path, and all
 * other packages as an app would that installed them.
 */
export class Sandbox {
  readonly #dir = join(root, "node_modules", ".cache", `docs-${randomUUID()}`);

  async open(): Promise<void> {
    const bin = join(this.#dir, "node_modules", ".bin");
    await mkdir(bin, { recursive: true });
    // A copy, as npm would install one: another build may begin while the programs run.
    const installed = join(this.#dir, "node_modules", "langchain-cross-session-memory");
    for (const part of ["package.json", "dist"]) {
      await cp(join(root, part), join(installed, part), { recursive: true });
    }
    await cp(join(root, "examples"), join(this.#dir, "examples"), { recursive: true });
    for (const name of ["lcsm", "langchain-cross-session-memory"]) {
      const command = join(bin, name);
      await writeFile(command, `#!/bin/sh\nexec node "${join(installed, "dist/cli/index.mjs")}" "$@"\n`);
      await chmod(command, 0o755);
    }
  }

  close(): Promise<void> {
    return rm(this.#dir, { recursive: true, force: true });
  }

  /** Runs a program, TypeScript or not, in an empty folder of its own; a server's handler is called once. */
  async run(code: string, env: Readonly<Record<string, string>>) {
    const dir = await this.#emptyFolder();
    await writeFile(join(dir, "program.mjs"), withoutTypes(code));
    await writeFile(join(dir, "visit.mjs"), visit);
    const child = spawn(process.execPath, ["visit.mjs"], {
      cwd: dir,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { output, errors, code: status } = await outputOf(child);
    return { output, errors, status };
  }

  /** Runs lines of a shell in an empty folder. What serves on an address is ended as soon as it has named it. */
  async shell(lines: string, env: Readonly<Record<string, string>>) {
    const dir = await this.#emptyFolder();
    await symlink(join(this.#dir, "examples"), join(dir, "examples"), "junction");
    const bin = join(this.#dir, "node_modules", ".bin");
    const child = spawn("sh", ["-ec", lines], {
      cwd: dir,
      detached: true,
      env: { ...process.env, ...env, PATH: `${bin}${delimiter}${process.env.PATH}` },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let hasServed = false;
    child.stdout.on("data", (text) => {
      if (hasServed || !/\/\/127\.0\.0\.1:\d+\/\S/.test(String(text)) || child.pid === undefined) return;
      hasServed = true;
      process.kill(-child.pid);
    });
    const { output, errors, code: status } = await outputOf(child);
    return { output, errors, status: hasServed ? 0 : status };
  }

  /** What the compiler says of the programs, all settings strict. */
  async complaints(programs: ReadonlyMap<string, string>): Promise<string[]> {
    const dir = join(this.#dir, "types");
    await mkdir(dir, { recursive: true });
    const files: string[] = [];
    for (const [name, code] of programs) {
      files.push(join(dir, `${name}.mts`));
      await writeFile(join(dir, `${name}.mts`), `${code}\nexport {};\n`);
    }
    const program = ts.createProgram(files, {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      types: ["node"],
      typeRoots: [join(root, "node_modules", "@types")],
    });
    return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
      const { line } = file?.getLineAndCharacterOfPosition(start ?? 0) ?? { line: 0 };
      const name = file?.fileName.split("/").at(-1);
      return `${name}:${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
  }

  async #emptyFolder(): Promise<string> {
    const dir = join(this.#dir, randomUUID());
    await mkdir(dir);
    return dir;
  }
}

/** The code without types and comments: by it programs are compared, too. */
export function withoutTypes(code: string): string {
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, removeComments: true };
  return ts.transpileModule(code, { compilerOptions: options }).outputText;
}
