import { cp, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, inject, test } from "vitest";
// biome-ignore lint/correctness/useImportExtensions: the examples are .mjs, so that they run as they are.
import { startStandInModel } from "../../examples/stand-in-model/server.mjs";
import { App } from "../package/app.js";
import { command } from "../package/command.js";
import { type BundleOptions, withEsbuild, withWebpack } from "./bundles.js";

const packed = inject("packed");
const route = fileURLToPath(new URL("../../examples/nextjs-route/", import.meta.url));
const caller = fileURLToPath(new URL("./app/call-route.mjs", import.meta.url));

const app = App.at(inject("appDirectory"));
beforeAll(async () => {
  await cp(route, join(app.directory, "route"), { recursive: true });
  await app.write(
    "entry.mjs",
    `export { POST } from "./route/app/api/chat/route.js";\nexport { workspace } from "./route/lib/chat.js";\n`,
  );
});

/** What an ES module lacks for CommonJS packages, as our page tells those who bundle with esbuild. */
const page = await readFile(new URL("../../docs/deploying.md", import.meta.url), "utf8");
const [, banner = ""] = /--banner:js="([^"]+)"/.exec(page) ?? [];

describe("a Next.js route handler", () => {
  test.each<[string, (options: BundleOptions) => Promise<unknown>, Partial<BundleOptions>]>([
    ["esbuild as an ES module", (options) => withEsbuild(app, options), { format: "esm", banner }],
    ["esbuild as CommonJS", (options) => withEsbuild(app, options), { format: "cjs" }],
    [
      "esbuild as CommonJS, minified",
      (options) => withEsbuild(app, options),
      { format: "cjs", isMinified: true },
    ],
    ["webpack as CommonJS, as Next.js does", (options) => withWebpack(app, options), { format: "cjs" }],
  ])(
    "bundled by %s with all that it needs, remembers where nothing is installed",
    async (name, bundle, rest) => {
      const format = rest.format ?? "esm";
      const folder = join(packed.folder, `bundle-${name.replaceAll(/\W+/g, "-")}`);
      const file = join(folder, format === "esm" ? "route.mjs" : "route.cjs");
      await mkdir(folder);
      await bundle({ entry: "entry.mjs", file, format, ...rest });
      expect(await callRoute(folder, file)).toBe("learned: 1; answered: pnpm\n");
    },
  );

  test("bundled by webpack as an ES module beside installed packages, remembers too", async () => {
    const file = join(app.directory, "webpack", "route.mjs");
    // It pulls a name out of `node:zlib` that Node 20 lacks: a bundle of it needs Node 22.
    await withWebpack(app, { entry: "entry.mjs", file, format: "esm", external: ["langchain", "langsmith"] });
    expect(await callRoute(join(app.directory, "webpack"), file)).toBe("learned: 1; answered: pnpm\n");
  });
});

describe("a bundle that imports", () => {
  const external = ["langchain", "@langchain/*"];

  async function bundled(source: string) {
    await app.write("some.mjs", source);
    const file = join(app.directory, "out", "some.mjs");
    const shares = await withEsbuild(app, {
      entry: "some.mjs",
      file,
      format: "esm",
      external,
      isMinified: true,
    });
    return {
      text: await readFile(file, "utf8"),
      ours: shares.get("langchain-cross-session-memory") ?? 0,
      shares,
    };
  }

  /** What betrays a part of ours in minified code, and a package that only this part needs. */
  const marks = {
    middleware: /wrapModelCall/,
    page: /<html|text\/html/,
    command: /lcsm/,
    chains: /saveContext/,
    extraction: /extractedUpTo/,
  };

  test("nothing by name holds nothing", async () => {
    const { text, ours } = await bundled('import "langchain-cross-session-memory";');
    expect(ours).toBe(0);
    expect(text).toBe("");
  });

  test("JsonMemoryStore alone holds no other part and no package that only another part needs", async () => {
    const { text, ours, shares } = await bundled(
      'import { JsonMemoryStore } from "langchain-cross-session-memory"; console.log(JsonMemoryStore);',
    );
    const { extraction: _, ...others } = marks;
    for (const [part, mark] of Object.entries(others)) expect(mark.test(text), part).toBe(false);
    for (const name of ["commander", "marked", "@secretlint/secretlint-rule-preset-recommend"])
      expect([...shares.keys()]).not.toContain(name);
    expect(/from"langchain["/]/.test(text)).toBe(false);
    expect(ours).toBeGreaterThan(10_000);
    expect(ours).toBeLessThan(64_000);
  });

  test("the middleware holds neither the page nor the command nor the chain's memory", async () => {
    const { text, ours, shares } = await bundled(
      'export { crossSessionMemoryMiddleware } from "langchain-cross-session-memory/middleware";',
    );
    const { middleware, extraction, ...others } = marks;
    expect(middleware.test(text) && extraction.test(text)).toBe(true);
    for (const [part, mark] of Object.entries(others)) expect(mark.test(text), part).toBe(false);
    for (const name of ["commander", "marked"]) expect([...shares.keys()]).not.toContain(name);
    expect(ours).toBeLessThan(200_000);
  });
});

/** Calls the bundled route as its users would, in a process of its own, against a server that stands in for the model. */
async function callRoute(folder: string, file: string): Promise<string> {
  const model = await startStandInModel();
  try {
    return await command(folder, process.execPath, [caller, file], {
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: model.baseURL,
      AI_DIR: join(folder, "ai"),
    });
  } finally {
    await model.close();
  }
}
