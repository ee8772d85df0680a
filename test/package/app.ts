import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { command, node } from "./command.js";
import { installed, type PackedFolder, root } from "./packed.js";

/** An app that has installed the packed package, as a user's would. */
export class App {
  readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
  }

  /** An app that has nothing yet. */
  static async create(packed: Pick<PackedFolder, "folder">, name: string): Promise<App> {
    const app = new App(join(packed.folder, name));
    await app.write("package.json", JSON.stringify({ name, private: true, version: "1.0.0" }));
    return app;
  }

  /** An app that another process has installed. */
  static at(directory: string): App {
    return new App(directory);
  }

  /** @param packages Beside ours: `name@version`, or a name alone for the version that this repository has. */
  static async install(
    packed: Pick<PackedFolder, "folder" | "tarball">,
    name: string,
    packages: readonly string[],
  ): Promise<App> {
    const app = await App.create(packed, name);
    const specified = [...packages, "@types/node"].map((one) =>
      one.includes("@", 1) ? one : installed(one),
    );
    await app.add([packed.tarball, ...(await Promise.all(specified))]);
    return app;
  }

  async copy(name: string): Promise<App> {
    const copy = new App(join(dirname(this.directory), name));
    await cp(this.directory, copy.directory, { recursive: true, verbatimSymlinks: true });
    return copy;
  }

  /** Without `--force` or `--legacy-peer-deps`: what does not fit together fails. */
  async add(packages: readonly string[]): Promise<void> {
    await this.npm("install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error", ...packages);
  }

  npm(...args: string[]): Promise<string> {
    return command(this.directory, "npm", args);
  }

  async write(file: string, text: string): Promise<void> {
    const path = join(this.directory, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  run(file: string, environment?: Readonly<Record<string, string>>): Promise<string> {
    return node(this.directory, file, environment);
  }

  /** Compiles with `strict` and `skipLibCheck: false`, so that every declaration file of ours is checked too. */
  async compile(...files: string[]): Promise<void> {
    const complaints = await this.complaints(...files);
    if (complaints !== "") throw new Error(complaints);
  }

  /** What the compiler finds at that, a line for each fault; it writes `out/` all the same. */
  async complaints(...files: string[]): Promise<string> {
    const options = {
      strict: true,
      skipLibCheck: false,
      module: "nodenext",
      target: "es2022",
      types: ["node"],
      outDir: "out",
      rootDir: ".",
    };
    await this.write("tsconfig.json", JSON.stringify({ compilerOptions: options, files }));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    try {
      return await command(this.directory, process.execPath, [compiler, "-p", "."]);
    } catch (error) {
      return String(error);
    }
  }
}
