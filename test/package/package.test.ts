import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
// biome-ignore lint/correctness/useImportExtensions: the examples are .mjs, so that they run as they are.
import { startStandInModel } from "../../examples/stand-in-model/server.mjs";
import { importsIn } from "../support/imports.js";
import { asCommonJS, firstExample } from "../support/readme.js";
import { agentProgram, agentProgramPrints } from "./agent-program.js";
import { App } from "./app.js";
import { command } from "./command.js";
import { consumerOf } from "./consumer.js";
import { installed, type PackedFolder, pack, root } from "./packed.js";

const patience = 300_000;
const manifestOf = async (folder: string) => JSON.parse(await readFile(join(folder, "package.json"), "utf8"));

let packed: PackedFolder;
/** Has what the root entry needs, and no more. */
let app: App;

beforeAll(async () => {
  packed = await pack();
  app = await App.install(packed, "app", ["@langchain/core", "@langchain/openai"]);
}, patience);

afterAll(() => packed?.remove());

test("the tarball holds no file that a user doesn't need", () => {
  const needed =
    /^(?:package\.json|README(?:\.zh-CN)?\.md|LICENSE|CHANGELOG\.md|dist\/.+\.(?:[mc]js(?:\.map)?|d\.[mc]ts))$/;
  expect(packed.files.filter((path) => !needed.test(path))).toEqual([]);
  expect(packed.files).toEqual(
    expect.arrayContaining(["README.md", "LICENSE", "dist/index.mjs", "dist/index.d.cts"]),
  );
});

test("publint and attw find nothing", { timeout: patience }, async () => {
  const { messages } = await publint({ pkgDir: packed.directory, strict: true });
  expect(messages).toEqual([]);
  const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
  // node10 knows no subpaths, and no Node that we support resolves like it.
  await command(packed.folder, process.execPath, [attw, packed.tarball, "--profile", "node16"]);
});

test("no declaration names zod, or a package that need not be there", async () => {
  const declarations = packed.files.filter((path) => /\.d\.[mc]ts$/.test(path));
  expect(declarations.length).toBeGreaterThan(4);
  for (const path of declarations) {
    const text = await readFile(join(packed.directory, path), "utf8");
    const needed = path.startsWith("dist/middleware/") ? "@langchain/core|langchain" : "@langchain/core";
    const allowed = new RegExp(`^(?:(?:${needed})(?:/|$)|node:|dist/)`);
    expect(importsIn(text, path).filter((name) => !allowed.test(name))).toEqual([]);
    expect(text).not.toMatch(/\bzod\b|\bZod[A-Z]/i);
  }
});

test("importing types alone puts nothing into a bundle for the browser", async () => {
  const { rolldown } = await import("rolldown");
  const source =
    'import type { MemoryItem } from "langchain-cross-session-memory";\nexport const items: MemoryItem[] = [];';
  await app.write("types-only.ts", source);
  const build = await rolldown({ input: join(app.directory, "types-only.ts"), platform: "browser" });
  const { output } = await build.generate();
  await build.close();
  expect(output.map((chunk) => ("code" in chunk ? chunk.code : "")).join()).not.toMatch(/import|require/);
  expect((await manifestOf(packed.directory)).sideEffects).toBe(false);
});

describe("an app with core and a provider alone", () => {
  test("has one copy of core; core and langchain are peers", { timeout: patience }, async () => {
    expect(await copiesOfCore(app)).toHaveLength(1);
    const { dependencies, peerDependencies, peerDependenciesMeta } = await manifestOf(packed.directory);
    expect(Object.keys(dependencies).filter((name) => name.includes("langchain"))).toEqual([]);
    expect(peerDependencies).toEqual({ "@langchain/core": "^1.0.3", langchain: "^1.0.3" });
    expect(peerDependenciesMeta).toEqual({ langchain: { optional: true } });
  });

  test("compiles the README's first example and sees no export as any, with the declarations of its libraries checked", {
    timeout: patience,
  }, async () => {
    const { source, names } = consumerOf(app.directory, [
      "langchain-cross-session-memory",
      "langchain-cross-session-memory/tools",
      "langchain-cross-session-memory/panel",
    ]);
    expect(names).toEqual(
      expect.arrayContaining(["CrossSessionMemory", "MemoryWorkspace", "MemoryItem", "MemoryStore"]),
    );
    await app.write("ts/consumer.mts", source);
    await app.write("ts/consumer.cts", source);
    await app.write("ts/example.mts", await firstExample());
    await app.compile("ts/consumer.mts", "ts/consumer.cts", "ts/example.mts");
  });

  test("runs the README's first example as it is written from ESM, from CommonJS and from what TypeScript made of it", {
    timeout: patience,
  }, async () => {
    const example = await firstExample();
    await app.write("esm/example.mjs", example);
    await app.write("cjs/example.cjs", asCommonJS(example));
    const model = await startStandInModel();
    try {
      for (const file of ["esm/example.mjs", "cjs/example.cjs", "out/ts/example.mjs"]) {
        await app.write(`in/${file}/keep`, "");
        const folder = join(app.directory, "in", file);
        const environment = { OPENAI_API_KEY: "no-key-needed", OPENAI_BASE_URL: model.baseURL };
        const printed = await command(folder, process.execPath, [join(app.directory, file)], environment);
        expect(printed).toContain("pnpm");
        expect(JSON.parse(await readFile(join(folder, "ai/memory/memory.json"), "utf8"))).not.toEqual([]);
      }
    } finally {
      await model.close();
    }
  });

  test("understands messages of another copy of core", async () => {
    await app.write(
      "copies.mjs",
      `import { createRequire } from "node:module";
      import { CrossSessionMemory } from "langchain-cross-session-memory";
      const other = createRequire(import.meta.url)("@langchain/core/messages");
      const memory = new CrossSessionMemory({ dir: "copies", model: { invoke: async () => ({ content: "[]" }) } });
      await memory.saveContext({ input: new other.HumanMessage("hi") }, { output: [new other.AIMessage("yo")] });
      console.log((await memory.loadMemoryVariables({})).history, (await memory.workspace.waiting.count()).messages);`,
    );
    expect(await app.run("copies.mjs")).toBe("Human: hi\nAI: yo 2\n");
  });
});

describe("an app with langchain, without @langchain/classic", () => {
  // Two at once use both cores: each is a whole compilation.
  test.concurrent.each(["3.25.76", "4.1.13", "4.6.7"])(
    "compiles and runs the middleware beside zod %s",
    {
      timeout: patience,
    },
    async (zod) => {
      const own = await app.copy(`zod-${zod}`);
      await own.add([await installed("langchain"), `zod@${zod}`]);
      expect(await copiesOfCore(own)).toHaveLength(1);
      const { source } = consumerOf(own.directory, ["langchain-cross-session-memory/middleware"]);
      await own.write("consumer.mts", source);
      await own.write("agent.mts", agentProgram);
      await own.compile("consumer.mts", "agent.mts");
      expect(await own.run("out/agent.mjs")).toBe(agentProgramPrints);
    },
  );
});

interface Tree {
  readonly dependencies?: Readonly<Record<string, Tree & { version: string }>>;
}

async function copiesOfCore(of: App): Promise<string[]> {
  const { dependencies } = JSON.parse(await of.npm("ls", "@langchain/core", "--all", "--json")) as Tree;
  return [...new Set(versionsOf(dependencies))];
}

function versionsOf(dependencies: Tree["dependencies"] = {}): string[] {
  return Object.entries(dependencies).flatMap(([name, tree]) => [
    ...(name === "@langchain/core" ? [tree.version] : []),
    ...versionsOf(tree.dependencies),
  ]);
}
