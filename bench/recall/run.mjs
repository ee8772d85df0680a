/**
 * Which memories are in the prompt: of the questions, how many find a fact that answers them there.
 *
 *     npm run build:quiet && node bench/recall/run.mjs                  on a small set of this folder
 *     node bench/recall/run.mjs --data <folder> [--only recall]        on LoCoMo and MemoryBank, which are not copied here
 *     node bench/recall/run.mjs --check                                and ends with exit status 1 where a limit is missed
 *
 * Parts: `recall`, `sessions` (how much a prompt changes within a session), `limits` (what a store of so many still holds),
 * `timing` (for the comparison with MiniSearch run `npm install` in this folder first). All with `--data`.
 */
import { printLimits } from "./limits.mjs";
import { ownScenarios } from "./own-set.mjs";
import { printRecall } from "./recall.mjs";
import { printSessions } from "./sessions.mjs";
import { sharedSet } from "./shared-set.mjs";
import { printTiming } from "./timing.mjs";

const option = (name) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? undefined : process.argv[at + 1];
};

const folder = option("data");
const set = folder === undefined ? { recall: ownScenarios() } : await sharedSet(folder);
const parts = { recall: printRecall, sessions: printSessions, limits: printLimits, timing: printTiming };
const only = option("only")?.split(",") ?? Object.keys(parts);
const missed = [];
for (const [name, print] of Object.entries(parts)) {
  if (only.includes(name) && set[name] !== undefined) missed.push(...(await print(set[name])));
}
for (const one of missed) console.log(`MISSED: ${one}`);
if (process.argv.includes("--check") && missed.length > 0) process.exitCode = 1;
