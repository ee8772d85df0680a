import { readFile } from "node:fs/promises";
import { CrossSessionMemory } from "../dist/index.mjs";
import { pairedMedians, timed } from "./median.mjs";
import { idleModel, inTemporaryFolder, settleFiles, writeWorld } from "./world.mjs";

/** Loading the memory variables, against reading the same files at once and parsing them. */
export function measureLoad() {
  return inTemporaryFolder(async (dir) => {
    const { assetFiles, memoryFile } = await writeWorld(dir);
    await settleFiles();
    const memory = new CrossSessionMemory({ dir, model: idleModel });
    const ours = timed(() => memory.loadMemoryVariables({ input: "hi" }), 20);
    const theirs = timed(() => readPlainly(assetFiles, memoryFile), 20);
    return {
      name: "loadMemoryVariables: 10 rules, 10 skills of 4 KB, 100 memories",
      against: "reading and parsing the same files in parallel",
      limit: 1.5,
      ...(await pairedMedians(ours, theirs, { warmUp: 5 })),
    };
  });
}

async function readPlainly(assetFiles, memoryFile) {
  return Promise.all([
    ...assetFiles.map(async (path) => (await readFile(path, "utf8")).split("\n---\n")),
    readFile(memoryFile, "utf8").then(JSON.parse),
  ]);
}
