/**
 * Whether facts that say the same in other words are told from facts that don't, through the library's own doors: the first
 * of a pair is known, the second is given to the tool `remember` with `nearDuplicates` on. A pair that ends as one memory
 * was taken for the same fact.
 *
 *     npm run build && node bench/near-duplicates/measure.mjs             prints precision and recall
 *     npm run build && node bench/near-duplicates/measure.mjs --check     and ends with exit status 1 below the limits
 *     npm run build && node bench/near-duplicates/measure.mjs --errors    names what is told wrongly of the tuning set
 *
 * `held-out.tsv` was written before the code, which was tuned on `tuning.tsv`.
 */
import { readFile } from "node:fs/promises";
import { InMemoryStore } from "@langchain/langgraph";
import { LangGraphMemoryStore, MemoryWorkspace } from "../../dist/index.mjs";
import { createMemoryTools } from "../../dist/tools/index.mjs";

/** A lost fact is worse than one that is stored twice. */
const limits = { precision: 0.99, recall: 0.6 };
const names = { zh: "Chinese", en: "English" };

const workspace = new MemoryWorkspace({
  store: new LangGraphMemoryStore(new InMemoryStore()),
  nearDuplicates: true,
});
const [remember] = createMemoryTools(workspace, { userId: ({ context }) => context.user });

async function isTakenForOne(user, first, second) {
  const { memories } = workspace.forUser(user);
  await memories.add(first);
  await remember.invoke({ content: second }, { context: { user }, configurable: { thread_id: "t" } });
  return (await memories.list()).length === 1;
}

async function readPairs(file) {
  const text = await readFile(new URL(file, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [kind, language, first, second] = line.split("\t");
      return { kind, language, first, second };
    });
}

async function measure(file) {
  const pairs = await readPairs(file);
  for (const [index, pair] of pairs.entries()) {
    pair.isOne = await isTakenForOne(`${file}-${index}`, pair.first, pair.second);
  }
  return pairs;
}

function figures(pairs) {
  const same = pairs.filter(({ kind }) => kind === "same");
  const traps = pairs.filter(({ kind }) => kind !== "same");
  const found = same.filter(({ isOne }) => isOne).length;
  const wrong = traps.filter(({ isOne }) => isOne).length;
  return {
    same: same.length,
    found,
    traps: traps.length,
    wrong,
    precision: found + wrong === 0 ? 1 : found / (found + wrong),
    recall: found / same.length,
  };
}

function row(name, pairs) {
  const { same, found, traps, wrong, precision, recall } = figures(pairs);
  return `| ${name} | ${found} of ${same} | ${wrong} of ${traps} | ${precision.toFixed(3)} | ${recall.toFixed(3)} |`;
}

let isBelow = false;
for (const [file, name] of [
  ["held-out.tsv", "held out"],
  ["tuning.tsv", "tuning"],
]) {
  const pairs = await measure(file);
  console.log(`${name} (${file}, ${pairs.length} pairs)\n`);
  console.log(
    "| | same, and found | two, and taken for one | precision | recall |\n| --- | --- | --- | --- | --- |",
  );
  for (const [language, languageName] of Object.entries(names)) {
    console.log(
      row(
        languageName,
        pairs.filter((pair) => pair.language === language),
      ),
    );
  }
  console.log(`${row("both", pairs)}\n`);
  const { precision, recall } = figures(pairs);
  if (precision < limits.precision || recall < limits.recall) isBelow = true;
  if (name === "tuning" && process.argv.includes("--errors")) {
    for (const { kind, first, second, isOne } of pairs) {
      if (isOne !== (kind === "same")) console.log(`${kind}: ${first} / ${second}`);
    }
  }
}
console.log(`limits: precision ${limits.precision}, recall ${limits.recall}: ${isBelow ? "BELOW" : "ok"}`);
if (process.argv.includes("--check") && isBelow) process.exitCode = 1;
await workspace.close();
