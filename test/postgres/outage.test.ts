import { randomUUID } from "node:crypto";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { expect, it, onTestFinished } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { LangGraphMemoryStore } from "../../src/memory/langgraph-memory-store.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { CutLine } from "./cut-line.js";
import { openPostgres } from "./postgres-home.js";

it("a PostgreSQL that goes away ends neither process nor conversation, and all that was said is there when it is back", async () => {
  const postgres = await openPostgres();
  onTestFinished(postgres.stop);
  const line = await CutLine.to(postgres.url);
  onTestFinished(() => line.end());
  const base = PostgresStore.fromConnString(line.url, { schema: postgres.schema });
  onTestFinished(() => base.stop());
  const logger = new CollectingLogger();
  const model = new ScriptedModel("[]");
  const store = new LangGraphMemoryStore(base, { namespace: [randomUUID()] });
  const workspace = new MemoryWorkspace({ dir: await temporaryFolder(), model, store, logger });

  await workspace.memories.add("likes tea");
  await workspace.recordTurn("s", turn(1));
  await workspace.idle();
  expect((await workspace.assembleContext()).text).toContain("likes tea");

  await line.cut();
  for (const number of [2, 3]) {
    expect((await workspace.assembleContext({ sessionId: "s" })).text).not.toContain("tea");
    await workspace.recordTurn("s", turn(number));
    await workspace.idle();
  }
  expect(logger.warnings.length).toBeGreaterThan(0);
  expect(logger.all).not.toContain("question");

  await line.mend();
  expect((await workspace.assembleContext({ sessionId: "s" })).text).toContain("likes tea");
  await workspace.recordTurn("s", turn(4));
  await workspace.idle();
  expect((await store.waiting.read()).map(({ id }) => id)).toEqual(
    [1, 2, 3, 4].flatMap((number) => [`u${number}`, `a${number}`]),
  );
});

function turn(number: number) {
  return [
    { role: "user", id: `u${number}`, content: `question ${number}` },
    { role: "assistant", id: `a${number}`, content: "answer" },
  ];
}
