import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { CrossSessionMemory } from "../dist/index.mjs";
import { pairedMedians, timed } from "./median.mjs";
import { idleModel, inTemporaryFolder } from "./world.mjs";

const turn = {
  input: "Which package manager does our project use, and since when?",
  output: "It uses pnpm, since the lockfile of March; npm and yarn are not to be used in this repository.",
};

/** Saving a turn, against appending the same two messages to two files. */
export function measureSave() {
  return inTemporaryFolder(async (dir) => {
    // So little waits that no extraction comes between.
    const options = {
      dir,
      model: idleModel,
      extractionTriggerChars: 1_000_000,
      extractionChunkChars: 1_000_000,
    };
    const memory = new CrossSessionMemory(options);
    // What follows in the background is not what a turn waits for: its end is, unmeasured, before the next call.
    const ours = timed(
      () => memory.saveContext({ input: turn.input }, { output: turn.output }),
      20,
      () => memory.workspace.idle(),
    );
    const line = `${JSON.stringify({ role: "user", content: turn.input })}\n${JSON.stringify({ role: "assistant", content: turn.output })}\n`;
    const theirs = timed(async () => {
      await appendFile(join(dir, "history.jsonl"), line);
      await appendFile(join(dir, "queue.jsonl"), line);
    }, 20);
    const medians = await pairedMedians(ours, theirs, { warmUp: 5 });
    await memory.workspace.close();
    return {
      name: "saveContext: one turn",
      against: "two plain appends",
      limit: 2,
      ...medians,
    };
  });
}
