import { describe, expect, it } from "vitest";
import type { ScriptedReply } from "../support/scripted-model.js";
import { fact, longTalk, makeWorld, sessionRecord } from "./world.js";

const fenced = (text: string) => `\`\`\`json\n${text}\n\`\`\``;
const ofFences = '[{"content": "Wants ```json fences``` in the docs"}]';

/** A workspace whose model says this, and turns whose messages have ids. */
async function asked(...replies: ScriptedReply[]) {
  const world = await makeWorld({ replies });
  let turn = 0;
  const say = async (text = longTalk) => {
    turn++;
    await world.workspace.recordTurn("s1", [
      { role: "user", content: text, id: `u${turn}` },
      { role: "assistant", content: "ok", id: `a${turn}` },
    ]);
    await world.workspace.idle();
  };
  await say();
  const cursor = async () => (await sessionRecord(world.workspace.store))?.extractedUpTo;
  return { ...world, say, cursor };
}

describe("what a reply says is stored, the cursor stands at the turn's end, and nothing is called a failure", () => {
  it.each<[string, string, string[]]>([
    [
      "in a fence with prose after it",
      `${fenced('[{"content": "Prefers tabs over spaces"}]')}\nI found one lasting preference.`,
      ["Prefers tabs over spaces"],
    ],
    ["with a fence in its words", ofFences, ["Wants ```json fences``` in the docs"]],
    ["with a fence in its words and around it", fenced(ofFences), ["Wants ```json fences``` in the docs"]],
    [
      "behind a draft that it thought of",
      '<think>Maybe [{"content":"User is a lawyer"}]? No, that was a joke.</think>\n[{"content":"User works as a nurse"}]',
      ["User works as a nurse"],
    ],
    ["a list under a name", '{"memories":[{"content":"A"}]}', ["A"]],
    ["a list of strings under a name", '{"facts":["B"]}', ["B"]],
    ["a list of strings", '["C"]', ["C"]],
    ["one object", '{"content":"D"}', ["D"]],
    ["one object under a name", '{"memories":{"content":"E"}}', ["E"]],
    ["nothing worth keeping", "[]", []],
  ])("%s", async (_, reply, stored) => {
    const { contents, cursor, logger, workspace } = await asked(reply);
    expect(await contents()).toEqual(stored);
    expect(await cursor()).toBe("a1");
    expect(await workspace.waiting.count()).toMatchObject({ messages: 0 });
    expect(logger.all).toBe("");
  });
});

describe("a reply that can't be used stores nothing and moves nothing, and the same turns are asked of again", () => {
  it.each<[string, string]>([
    ["nothing at all", ""],
    ["prose", "No new facts."],
    ["cut off in a fact", '[{"content":"Speaks Finnish"},{"content":"Has allerg'],
  ])("%s", async (_, reply) => {
    const { contents, cursor, say, model } = await asked(reply, fact("Speaks Finnish"));
    expect(await contents()).toEqual([]);
    expect(await cursor()).toBeUndefined();
    await say("and more");
    expect(await contents()).toEqual(["Speaks Finnish"]);
    expect(await cursor()).toBe("a2");
    expect(model.requests).toHaveLength(2);
    expect(model.prompts[1]).toContain(longTalk.trim());
  });
});
