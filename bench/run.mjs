/**
 * What the memory costs: each of its costs beside the plainest thing that does the same, as medians of 15 pairs that
 * are measured in turn.
 *
 *     npm run bench               prints the figures
 *     npm run bench -- --check    and ends with exit status 1 where one is over its limit
 */
import { measureAgent, measureAgentOnSlowerServer } from "./agent.mjs";
import { measureImport } from "./import.mjs";
import { measureLoad } from "./load.mjs";
import { measureSave } from "./save.mjs";

const results = [];
for (const measure of [measureLoad, measureSave, measureImport, measureAgent, measureAgentOnSlowerServer])
  results.push(await measure());

const rows = results.map(({ name, against, ours, theirs, limit }) => ({
  name,
  against,
  ours: `${ours.toFixed(2)} ms`,
  theirs: `${theirs.toFixed(2)} ms`,
  ratio: (ours / theirs).toFixed(2),
  limit: limit.toFixed(2),
  ok: ours / theirs <= limit ? "ok" : "OVER",
}));
for (const row of rows) {
  console.log(`${row.name}\n  against ${row.against}`);
  console.log(`  ${row.ours} / ${row.theirs} = ${row.ratio}, limit ${row.limit}: ${row.ok}`);
}
if (process.argv.includes("--check") && rows.some(({ ok }) => ok !== "ok")) process.exitCode = 1;
