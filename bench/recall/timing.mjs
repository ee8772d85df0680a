import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selectMemories } from "../../dist/index.mjs";
import { pairedMedians, timed } from "../median.mjs";
import { printTable } from "./facts.mjs";

/** One selection among 1,000: of an unchanged list beside reading its file, of a new one beside a MiniSearch index. */
export async function printTiming(lists) {
  const MiniSearch = await import("minisearch").then(
    (loaded) => loaded.default,
    () => undefined,
  );
  const rows = [];
  const missed = [];
  const add = (title, against, { ours, theirs }) => {
    const ratio = ours / theirs;
    rows.push([title, `${ours.toFixed(2)} ms`, `${theirs.toFixed(2)} ms`, against, ratio.toFixed(2)]);
    if (ratio > 1) missed.push(`${title}: ${ratio.toFixed(2)} times ${against}`);
  };
  for (const { title, memories, queries } of lists) {
    const budgetBytes = 8192;
    let asked = 0;
    const select = (list) =>
      selectMemories(list, { query: queries[asked++ % queries.length], budgetBytes, selection: "relevant" });
    add(
      `${title}, unchanged`,
      "reading and parsing their file",
      await beside(memories, () => select(memories)),
    );
    if (MiniSearch === undefined) continue;
    const build = () => {
      const index = new MiniSearch({ fields: ["content"] });
      index.addAll(memories);
    };
    const sizes = { warmUp: 5 };
    let list = memories;
    // One fact comes, the oldest goes.
    const change = () => {
      const { content } = list[0];
      list = [
        ...list.slice(1),
        { ...list[0], createdAt: list.at(-1).createdAt + 1, content: `${content} ${asked}` },
      ];
      return list;
    };
    add(
      `${title}, changed`,
      "building a MiniSearch index",
      await pairedMedians(
        timed(() => select(change()), 3),
        timed(build, 3),
        sizes,
      ),
    );
  }
  printTable("Time of a selection among 1,000", ["memories", "ours", "theirs", "against", "ratio"], rows);
  if (MiniSearch === undefined)
    console.log("\nMiniSearch is not installed: run npm install in bench/recall.");
  return missed;
}

async function beside(memories, select) {
  const folder = await mkdtemp(join(tmpdir(), "recall-"));
  try {
    const path = join(folder, "memory.json");
    const items = memories.map(({ evidence: _, ...item }) => item);
    await writeFile(path, JSON.stringify(items, undefined, 2));
    const read = async () => JSON.parse(await readFile(path, "utf8"));
    return await pairedMedians(timed(select, 20), timed(read, 20), { warmUp: 5 });
  } finally {
    await rm(folder, { recursive: true });
  }
}
