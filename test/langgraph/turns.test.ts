import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { LangGraphMemoryStore } from "../../src/memory/langgraph-memory-store.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { WatchedStore } from "./watched-store.js";

describe("a turn over a LangGraph store", () => {
  it("makes at most 2 queries to load and 2 to record, with ids or without", async () => {
    const { base, workspace } = await openWorkspace();
    await workspace.memories.add("likes tea");
    for (let turn = 1; turn <= 3; turn++) {
      base.taken();
      const { text } = await workspace.assembleContext({ sessionId: `s${turn % 2}` });
      expect(text).toContain("likes tea");
      expect(base.taken().length).toBeLessThanOrEqual(2);
      await workspace.recordTurn(`s${turn % 2}`, said(turn));
      await workspace.idle();
      expect(base.taken().length).toBeLessThanOrEqual(2);
      await workspace.recordTurn(`s${turn % 2}`, [
        ["human", `no id ${turn}`],
        ["ai", "none here"],
      ]);
      await workspace.idle();
      expect(base.taken().length).toBeLessThanOrEqual(2);
    }
    expect((await workspace.waiting.count()).messages).toBe(12);
  });

  it("counts no less for it: the turn that fills 4000 characters starts the extraction, also beside others", async () => {
    const { workspace, model } = await openWorkspace();
    await workspace.recordTurn("a", said(1, 1994));
    await workspace.idle();
    expect(model.requests).toHaveLength(0);
    await Promise.all([workspace.recordTurn("b", said(2, 994)), workspace.recordTurn("c", said(3, 994))]);
    await workspace.idle();
    expect((await workspace.waiting.count()).characters).toBe(0);
    expect(model.requests).toHaveLength(1);
  });

  it("goes on while the store is down, with one warning, and brings what was said when it works again", async () => {
    const { base, workspace, logger, model } = await openWorkspace();
    await workspace.memories.add("likes tea");
    base.failure = Object.assign(new Error("connect ECONNREFUSED secret words"), { code: "ECONNREFUSED" });
    for (let turn = 1; turn <= 3; turn++) {
      const { text } = await workspace.assembleContext({ sessionId: "s" });
      expect(text).not.toContain("tea");
      await workspace.recordTurn("s", said(turn, 1500));
      await workspace.idle();
    }
    expect(logger.warnings).toHaveLength(1);
    expect(logger.all).toContain("ECONNREFUSED");
    expect(logger.all).not.toContain("secret words");
    expect(logger.errors).toEqual([]);

    base.failure = undefined;
    expect((await workspace.assembleContext({ sessionId: "s" })).text).toContain("likes tea");
    await workspace.recordTurn("s", said(4, 100));
    await workspace.idle();
    expect(logger.warnings).toHaveLength(1);
    const sent = model.prompts.join("\n");
    for (const turn of [1, 2, 3, 4]) expect(sent.split(`question ${turn} `)).toHaveLength(2);

    base.failure = new Error("down again");
    await workspace.assembleContext({ sessionId: "s" });
    expect(logger.warnings).toHaveLength(2);
  });

  it("says of a store that only can't be written once, however many turns", async () => {
    const { base, workspace, logger } = await openWorkspace();
    base.before = ({ method }) => {
      if (method === "put") throw new Error("read only");
    };
    for (let turn = 1; turn <= 3; turn++) {
      await workspace.assembleContext({ sessionId: "s" });
      await workspace.recordTurn("s", said(turn, 10));
      await workspace.idle();
    }
    expect(logger.warnings).toHaveLength(1);
    base.before = () => {};
    await workspace.recordTurn("s", said(4, 10));
    expect((await workspace.waiting.count()).messages).toBe(8);
  });
});

async function openWorkspace() {
  const base = new WatchedStore();
  const logger = new CollectingLogger();
  const model = new ScriptedModel("[]");
  const store = new LangGraphMemoryStore(base);
  const dir = await temporaryFolder();
  return { base, logger, model, workspace: new MemoryWorkspace({ dir, model, store, logger }) };
}

/** A turn of `length` + 6 code points. */
function said(turn: number, length = 20) {
  const question = `question ${turn} `;
  return [
    new HumanMessage({ id: `u${turn}`, content: question.padEnd(length, "x") }),
    new AIMessage({ id: `a${turn}`, content: "answer" }),
  ];
}
