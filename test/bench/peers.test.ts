import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const execute = promisify(execFile);
const root = new URL("../../", import.meta.url);
const read = (path: string) => readFile(new URL(path, root), "utf8");

describe("the comparison with peers", () => {
  test("runs with what is installed here, counts every request, and loses nothing of ours", async () => {
    const options = ["bench/peers/run.mjs", "--quick", "--parts", "counts,updates", "--only", "ours,store"];
    const { stdout } = await execute(process.execPath, options, { cwd: root });
    const { counts, updates } = JSON.parse(stdout.slice(stdout.indexOf("{")));
    const { bare, ours, store } = counts.rows;
    expect(bare.long).toMatchObject({ calls: 3, ownCalls: 0, embeddings: 0 });
    expect(ours.long).toMatchObject({ calls: 3, ownCalls: 0, embeddings: 0 });
    expect(ours.long.bytes).toBeGreaterThan(bare.long.bytes);
    // Each turn searches once and puts once.
    expect(store.long).toMatchObject({ calls: 3, embeddings: 6 });
    expect(updates.rows.ours).toEqual({ asked: 6, refused: 0, lost: 0, isBroken: false });
  }, 240_000);

  test.each([
    ["en", "benchmarks.md", "peers.svg"],
    ["zh-CN", "benchmarks.zh-CN.md", "peers.zh-CN.svg"],
  ])("the page in %s shows the figures that were measured", async (language, page, picture) => {
    // Scripts, without types.
    const load = (path: string) => import(new URL(`bench/peers/${path}`, root).href);
    const [{ tables }, { draw }, { texts }] = await Promise.all(
      ["tables.mjs", "chart.mjs", "texts.mjs"].map(load),
    );
    const results = JSON.parse(await read("bench/peers/results.json"));
    expect(await read(`docs/${page}`)).toContain(tables(results, texts[language]));
    expect(await read(`docs/images/${picture}`)).toBe(draw(results, texts[language]));
  });
});
