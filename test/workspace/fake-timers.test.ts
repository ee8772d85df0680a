import { expect, onTestFinished, test, vi } from "vitest";
import { CrossSessionMemory, MemoryWorkspace } from "../../src/index.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";

test("in an app's test that has faked the timers turns are recorded and learned from all the same", async () => {
  const model = new ScriptedModel('[{"content":"Likes tea"}]');
  const workspace = new MemoryWorkspace({
    dir: await temporaryFolder(),
    model,
    logger: new CollectingLogger(),
    extractionTriggerChars: 1,
  });
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const saves = Array.from({ length: 20 }, (_, at) =>
    new CrossSessionMemory({ workspace, sessionId: `s${at}` }).saveContext(
      { input: "one" },
      { output: "two" },
    ),
  );
  await Promise.all(saves);
  await workspace.idle();
  expect((await workspace.memories.list()).map(({ content }) => content)).toEqual(["Likes tea"]);
});
