import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { publint } from "publint";
import { afterAll, beforeAll, expect, test } from "vitest";
// biome-ignore lint/correctness/useImportExtensions: the examples are .mjs, so that they run as they are.
import { startStandInModel } from "../../examples/stand-in-model/server.mjs";
import { importsIn } from "../support/imports.js";
import { asCommonJS, firstExample } from "../support/readme.js";
import { App } from "./app.js";
import { command } from "./command.js";
import { consumerOf } from "./consumer.js";
import { type PackedFolder, pack, root } from "./packed.js";

let packed: PackedFolder;
/** Has what the root entry needs and no more. */
let app: App;
let environment: Record<string, string>;
let closeModel: () => Promise<void>;

beforeAll(async () => {
  const model = await startStandInModel();
  closeModel = model.close;
  environment = { OPENAI_API_KEY: "no-key-needed", OPENAI_BASE_URL: model.baseURL };
  packed = await pack();
  app = await App.install(packed, "app", ["@langchain/core", "@langchain/openai"]);
}, 180_000);

afterAll(async () => {
  await closeModel();
  await packed.remove();
});

test("the tarball holds no file that a user doesn't need", () => {
  const unneeded = packed.files.filter(
    (path) =>
      !/^(?:package\.json|README(?:\.zh-CN)?\.md|LICENSE|CHANGELOG\.md|dist\/.+\.(?:[mc]js(?:\.map)?|d\.[mc]ts))$/.test(
        path,
      ),
  );
  expect(unneeded).toEqual([]);
  expect(packed.files).toEqual(
    expect.arrayContaining(["README.md", "LICENSE", "dist/index.mjs", "dist/index.d.cts"]),
  );
});

test("publint and attw find nothing", async () => {
  const { messages } = await publint({ pkgDir: packed.directory, strict: true });
  expect(messages).toEqual([]);
  const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
  await command(packed.folder, process.execPath, [attw, packed.tarball, "--profile", "node16"]);
}, 60_000);

test("an app has one copy of core, and core and langchain are peers", async () => {
  const { dependencies } = JSON.parse(await app.npm("ls", "@langchain/core", "--all", "--json")) as Tree;
  expect(versionsOf(dependencies)).toHaveLength(1);
  const manifest = JSON.parse(await readFile(join(packed.directory, "package.json"), "utf8"));
  expect(Object.keys(manifest.dependencies).filter((name) => /langchain/.test(name))).toEqual([]);
  expect(manifest.peerDependencies).toEqual({ "@langchain/core": "^1.0.0", langchain: "^1.0.0" });
});

test("the README's first example runs as it is written from ESM, from CommonJS and from TypeScript", async () => {
  const example = await firstExample();
  await app.write("esm/example.mjs", example);
  await app.write("cjs/example.cjs", asCommonJS(example));
  await app.write("ts/example.mts", example);
  await app.compile("ts/example.mts");
  for (const [folder, file] of [
    ["esm", "esm/example.mjs"],
    ["cjs", "cjs/example.cjs"],
    ["ts", "out/ts/example.mjs"],
  ] as const) {
    await app.write(`${folder}/keep`, "");
    const printed = await command(
      join(app.directory, folder),
      process.execPath,
      [join(app.directory, file)],
      environment,
    );
    expect(printed).toContain("pnpm");
    const memories = JSON.parse(await readFile(join(app.directory, folder, "ai/memory/memory.json"), "utf8"));
    expect(memories).toHaveLength(1);
  }
}, 60_000);

test("no declaration names zod, or a package that need not be there", async () => {
  const declarations = packed.files.filter((path) => /\.d\.[mc]ts$/.test(path));
  expect(declarations.length).toBeGreaterThan(20);
  for (const path of declarations) {
    const text = await readFile(join(packed.directory, path), "utf8");
    const allowed = path.startsWith("dist/middleware/")
      ? /^(?:@langchain\/core|langchain)(?:\/|$)|^node:/
      : /^@langchain\/core(?:\/|$)|^node:/;
    const foreign = importsIn(text, path).filter((name) => !name.startsWith("dist/") && !allowed.test(name));
    expect([path, ...foreign]).toEqual([path]);
    expect(text).not.toMatch(/\bzod\b|\bZod[A-Z]/i);
  }
});

test("no export is any, seen by an app that compiles strictly and checks the declarations of its libraries", async () => {
  const entries = {
    ".": "langchain-cross-session-memory",
    "./tools": "langchain-cross-session-memory/tools",
  };
  const { source, names } = consumerOf(app.directory, Object.values(entries));
  expect(names).toEqual(
    expect.arrayContaining(["CrossSessionMemory", "MemoryWorkspace", "MemoryItem", "MemoryStore"]),
  );
  await app.write("types/consumer.mts", source);
  await app.write("types/consumer.cts", source);
  await app.compile("types/consumer.mts", "types/consumer.cts");
  await app.write("types/consumer.mts", `${source}\nisNotAny<ReturnType<typeof JSON.parse>>(true);`);
  await expect(app.compile("types/consumer.mts")).rejects.toThrow("not assignable");
}, 60_000);

test("messages of another copy of core are understood", async () => {
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

test("importing types alone puts nothing into a bundle for the browser", async () => {
  const { rolldown } = await import("rolldown");
  await app.write(
    "types-only.ts",
    'import type { MemoryItem } from "langchain-cross-session-memory";\nexport const items: MemoryItem[] = [];',
  );
  const build = await rolldown({ input: join(app.directory, "types-only.ts"), platform: "browser" });
  const { output } = await build.generate();
  await build.close();
  expect(output.map((chunk) => ("code" in chunk ? chunk.code : "")).join()).not.toMatch(/import|require/);
  expect(createRequire(import.meta.url)(join(packed.directory, "package.json")).sideEffects).toBe(false);
});

interface Tree {
  readonly dependencies?: Readonly<Record<string, Tree & { version: string }>>;
}

function versionsOf(dependencies: Tree["dependencies"] = {}): string[] {
  const found = Object.entries(dependencies).flatMap(([name, tree]) => [
    ...(name === "@langchain/core" ? [tree.version] : []),
    ...versionsOf(tree.dependencies),
  ]);
  return [...new Set(found)];
}
