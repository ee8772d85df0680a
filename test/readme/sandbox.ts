import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { outputOf } from "../support/output-of.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * A place where a program finds this checkout's build as `langchain-cross-session-memory`, and all other packages as an
 * app would that installed them.
 */
export class Sandbox {
  readonly #dir = join(root, "node_modules", ".cache", `readme-${randomUUID()}`);

  async open(): Promise<void> {
    await mkdir(join(this.#dir, "node_modules"), { recursive: true });
    await symlink(root, join(this.#dir, "node_modules", "langchain-cross-session-memory"), "junction");
  }

  close(): Promise<void> {
    return rm(this.#dir, { recursive: true, force: true });
  }

  /** Runs a program, TypeScript or not, in an empty folder of its own. */
  async run(code: string, env: Readonly<Record<string, string>>) {
    const dir = join(this.#dir, randomUUID());
    await mkdir(dir);
    await writeFile(join(dir, "program.mjs"), withoutTypes(code));
    const child = spawn(process.execPath, ["program.mjs"], {
      cwd: dir,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { output, errors, code: status } = await outputOf(child);
    return { output, errors, status, dir };
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
}

/** The code without types and comments: by it programs are compared, too. */
export function withoutTypes(code: string): string {
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, removeComments: true };
  return ts.transpileModule(code, { compilerOptions: options }).outputText;
}
