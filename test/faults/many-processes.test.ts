import { describe, expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { useChild } from "../files/child-process.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { isLong, wordsIn } from "./words.js";

const start = useChild("test/faults/child.ts");
const rounds = isLong ? 60 : 8;

type Child = ReturnType<typeof start>;
const saidBy = (children: readonly Child[], phase: string) =>
  children.flatMap(({ lines }) =>
    lines.filter((line) => line.startsWith(`${phase} `)).map((line) => line.slice(phase.length + 1)),
  );

async function extractTheRest(dir: string) {
  const logger = new CollectingLogger();
  const model = new ScriptedModel((messages) =>
    JSON.stringify(wordsIn(String(messages.at(-1)?.content)).map((word) => ({ content: `learned ${word}` }))),
  );
  const workspace = new MemoryWorkspace({ dir, model, logger, limit: 1000 });
  expect(await workspace.extractNow()).toMatchObject({ remaining: 0 });
  expect(logger.all).toBe("");
  const sent = model.prompts.flatMap(wordsIn);
  const contents = (await workspace.memories.list()).map(({ content }) => content);
  return { workspace, sent, contents, requests: model.requests.length };
}

describe("many processes on one folder", () => {
  it("four that add, remove, clear and extract at once lose no update, store nothing twice and bring nothing back", async () => {
    const dir = await temporaryFolder();
    const children = [
      ...Array.from({ length: 3 }, () => start("share", dir, String(rounds))),
      start("clear-sometimes", dir, String(rounds)),
    ];
    expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0, 0, 0]);
    expect(saidBy(children, "warning").concat(saidBy(children, "error"))).toEqual([]);

    const { workspace, sent, contents, requests } = await extractTheRest(dir);
    const words = saidBy(children, "done").map((line) => line.replace("record ", ""));
    expect(words).toHaveLength(4 * rounds);
    const expected = [...words.map((word) => `learned ${word}`), ...saidBy(children, "kept")];
    expect([...contents].sort()).toEqual(expected.sort());
    expect(saidBy(children, "left").every((count) => count === "0")).toBe(true);
    expect(await workspace.forUser("editor").memories.list()).toEqual([]);

    const allSent = [...saidBy(children, "sent").flatMap((line) => line.split(" ")), ...sent];
    expect([...allSent].sort()).toEqual([...words].sort());
    const days = await workspace.usage();
    expect(days.reduce((sum, day) => sum + day.requests, 0)).toBe(saidBy(children, "sent").length + requests);
    expect(days.reduce((sum, day) => sum + day.stored, 0)).toBe(words.length);
  });

  it("one session in two of them: every message is sent once, and its record knows the last", async () => {
    const dir = await temporaryFolder();
    const children = [start("session", dir, String(rounds)), start("session", dir, String(rounds))];
    expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0]);
    const { workspace, sent } = await extractTheRest(dir);
    const words = saidBy(children, "done").map((line) => line.replace("record ", ""));
    const allSent = [...saidBy(children, "sent").flatMap((line) => line.split(" ")), ...sent];
    expect([...allSent].sort()).toEqual([...words].sort());
    expect(await workspace.sessions.list()).toMatchObject([
      { sessionId: "one session", extractedUpTo: expect.any(String), waiting: { messages: 0 } },
    ]);
  });
});
