/**
 * What the memory costs: each of its costs beside the plainest thing that does the same, as medians of pairs that are
 * measured in turn. Then what the scanner of credentials lets through, and how the settings page keeps up with much.
 *
 *     npm run bench               prints the figures
 *     npm run bench -- --check    and ends with exit status 1 where one is over its limit
 */
import { measureAgent, measureAgentOnSlowerServer } from "./agent.mjs";
import { measureImport } from "./import.mjs";
import { measureLoad } from "./load.mjs";
import { measurePanel } from "./panel.mjs";
import { measureSave } from "./save.mjs";
import { measureSecrets } from "./secrets.mjs";

const measures = [
  measureLoad,
  measureSave,
  measureImport,
  measureAgent,
  measureAgentOnSlowerServer,
  measureSecrets,
  measurePanel,
];

let isWithin = true;
for (const measure of measures) {
  for (const { name, against, ours, theirs, limit, atLeast, unit = "ms" } of [await measure()].flat()) {
    const ratio = ours / theirs;
    const isOk = ratio <= (limit ?? Number.POSITIVE_INFINITY) && ratio >= (atLeast ?? 0);
    isWithin &&= isOk;
    const bound = limit === undefined ? `at least ${atLeast.toFixed(2)}` : `limit ${limit.toFixed(2)}`;
    console.log(`${name}\n  against ${against}`);
    console.log(
      `  ${figure(ours)} / ${figure(theirs)} ${unit} = ${ratio.toFixed(2)}, ${bound}: ${isOk ? "ok" : "OVER"}`,
    );
  }
}
if (process.argv.includes("--check") && !isWithin) process.exitCode = 1;

function figure(value) {
  return Number.isInteger(value) ? value : value.toFixed(2);
}
