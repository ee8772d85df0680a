/**
 * Ours beside what one would take instead: on the same server, with the same turns.
 *
 *     npm run build:quiet
 *     npm ci --prefix bench/peers           the peers, which are installed nowhere else
 *     npm ci --prefix bench/peers/mem0      and mem0, which needs a C++ compiler; without it, it is left out
 *     node bench/peers/run.mjs              measures everything (about ten minutes), and writes results.json
 *     node bench/peers/write.mjs            puts that into docs/benchmarks.md, with its picture
 *
 * `--quick` tries everything with a few turns and writes nothing. `--parts imports,times` measures these alone and keeps the other
 * figures of results.json; parts are counts, recall, updates, kills, install, imports, times. `--only ours,mem0` takes
 * these contenders and keeps the rows of the others.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { installedContenders } from "./contenders.mjs";
import { measureCounts } from "./counts.mjs";
import { measureImports } from "./imports.mjs";
import { measureInstall } from "./install.mjs";
import { measureKills } from "./kills.mjs";
import { refresh } from "./ours.mjs";
import { measureRecall } from "./recall.mjs";
import { startServer } from "./server.mjs";
import { measureTimes } from "./times.mjs";
import { measureUpdates } from "./updates.mjs";

const parts = {
  counts: measureCounts,
  recall: measureRecall,
  updates: measureUpdates,
  kills: measureKills,
  install: measureInstall,
  imports: measureImports,
  times: measureTimes,
};
const resultsFile = new URL("results.json", import.meta.url);
const list = (name) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? undefined : process.argv[at + 1].split(",");
};

const isQuick = process.argv.includes("--quick");
const asked = list("parts") ?? Object.keys(parts);
const isSelection = list("only") !== undefined;
const contenders = installedContenders(list("only"));
const results = isQuick ? {} : readResults();
refresh();
const server = await startServer();
try {
  for (const [name, measure] of Object.entries(parts)) {
    if (!asked.includes(name)) continue;
    const started = { date: new Date().toISOString().slice(0, 10), load: loadavg()[0] };
    console.log(`${name} …`);
    const former = isSelection ? results[name]?.rows : {};
    const keep = ({ rows, ...measured }) => {
      results[name] = { ...machine(), ...started, ...measured, rows: { ...former, ...rows } };
      if (!isQuick) writeFileSync(resultsFile, `${JSON.stringify(results, undefined, 1)}\n`);
    };
    const measured = await measure({ server, contenders, isQuick, keep });
    // What takes long keeps what it has after each repetition.
    if (measured !== undefined) keep(measured);
  }
} finally {
  server.close();
}
if (isQuick) console.log(JSON.stringify(results, undefined, 1));

function readResults() {
  try {
    return JSON.parse(readFileSync(resultsFile, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return {};
  }
}

function machine() {
  return { cores: cpus().length, node: process.version, platform: process.platform };
}
