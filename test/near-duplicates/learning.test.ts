import { describe, expect, it } from "vitest";
import { type MemoryItem, MemoryWorkspace, type WorkspaceOptions } from "../../src/index.js";
import { createMemoryTools } from "../../src/tools/index.js";
import { FixedClock } from "../support/clock.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function open(learned: readonly (string | object)[], options: WorkspaceOptions = {}) {
  const dir = await temporaryFolder();
  const reply = learned.map((one) => (typeof one === "string" ? { content: one } : one));
  const model = new ScriptedModel(JSON.stringify(reply));
  const clock = new FixedClock();
  const workspace = new MemoryWorkspace(
    { dir, logger: new CollectingLogger(), model, nearDuplicates: true, ...options },
    clock,
  );
  const learn = async () => {
    clock.advance(1000);
    await workspace.recordTurn("s", [
      ["human", "hi"],
      ["ai", "hello"],
    ]);
    return workspace.extractNow();
  };
  const contents = async () => (await workspace.memories.list()).map(({ content }) => content);
  const remember = async (content: string) => {
    const [tool] = createMemoryTools(workspace);
    return String(await tool?.invoke({ content }, { configurable: { thread_id: "t" } }));
  };
  return { workspace, memories: workspace.memories, learn, contents, remember };
}

describe("with nearDuplicates", () => {
  it("what is learned and known in other words is not stored twice, and what differs is", async () => {
    const { memories, learn, contents } = await open(["用户喜欢用 zsh", "用户不用 zsh", "用户住在杭州"]);
    const known = await memories.add("用户偏好 zsh");
    expect((await learn()).stored).toBe(2);
    expect(await contents()).toEqual(["用户偏好 zsh", "用户不用 zsh", "用户住在杭州"]);
    expect((await memories.list())[0]).toEqual(known);
  });

  it("one fact in five spellings, each learned by itself, is one memory, and its denial another", async () => {
    const said = [
      "Lives in Lyon",
      "lives in Lyon.",
      " Lives  in Lyon ",
      "LIVES IN LYON",
      "Lives in Ly\u200bon",
      "Does not live in Lyon",
    ];
    const model = new ScriptedModel(...said.map((content) => JSON.stringify([{ content }])));
    const { learn, contents } = await open([], { model });
    for (const _ of said) await learn();
    expect(model.requests).toHaveLength(6);
    expect(await contents()).toEqual(["Lives in Lyon", "Does not live in Lyon"]);
  });

  it("nor is what one reply says twice", async () => {
    const { learn, contents } = await open(["User lives in Berlin.", "The user is based in Berlin."]);
    expect((await learn()).stored).toBe(1);
    expect(await contents()).toEqual(["User lives in Berlin."]);
  });

  it("what was deleted while the model was asked does not come back in other words", async () => {
    const { workspace, memories, contents } = await open([]);
    const { id } = await memories.add("用户偏好 zsh");
    const model = new ScriptedModel(async () => {
      await memories.remove(id);
      return JSON.stringify([{ content: "用户喜欢用 zsh" }, { content: "用户住在杭州" }]);
    });
    await workspace.recordTurn(
      "s",
      [
        ["human", "hi"],
        ["ai", "hello"],
      ],
      { model },
    );
    const other = new MemoryWorkspace({
      store: workspace.store,
      dir: workspace.parts.options.dir,
      logger: new CollectingLogger(),
      model,
      nearDuplicates: true,
    });
    await other.extractNow();
    expect(await contents()).toEqual(["用户住在杭州"]);
  });

  it("what a person adds is stored", async () => {
    const { memories, contents } = await open([]);
    await memories.add("用户偏好 zsh");
    await memories.add("用户喜欢用 zsh");
    expect(await contents()).toEqual(["用户偏好 zsh", "用户喜欢用 zsh"]);
  });

  it("what the tool is asked to remember is found in other words, and named", async () => {
    const { memories, contents, remember } = await open([]);
    const { id } = await memories.add("用户偏好 zsh");
    expect(await remember("用户喜欢用 zsh")).toContain(id);
    expect(await contents()).toEqual(["用户偏好 zsh"]);
    expect(await remember("用户不用 zsh")).not.toContain(id);
    expect(await contents()).toEqual(["用户偏好 zsh", "用户不用 zsh"]);
  });

  it("what waits for a person is not proposed twice in other words, nor what is known", async () => {
    const { workspace, memories, learn } = await open(
      ["用户喜欢用 zsh", "User lives in Berlin.", "The user is based in Berlin."],
      { review: true },
    );
    await memories.add("用户偏好 zsh");
    await learn();
    await learn();
    const candidates = await workspace.candidates.list();
    expect(candidates.map(({ content }) => content)).toEqual(["User lives in Berlin."]);
  });

  it("what takes the place of a known fact does so in its own words", async () => {
    const learned: MemoryItem = {
      id: "1",
      content: "User lives in Berlin.",
      createdAt: 1,
      sourceScope: "s",
      source: { sessionIds: ["s"], messageIds: ["m"], learnedAt: 1 },
    };
    const reply = [{ content: "The user is based in Berlin.", replaces: [1] }];
    const { memories, learn, contents } = await open(reply, { consolidate: true });
    await memories.save([learned]);
    await learn();
    expect(await contents()).toEqual(["The user is based in Berlin."]);
  });
});

describe("without it", () => {
  it("only the same words are the same fact, as ever", async () => {
    const { memories, learn, contents, remember } = await open(["用户喜欢用 zsh"], { nearDuplicates: false });
    await memories.add("用户偏好 zsh");
    await learn();
    expect(await contents()).toEqual(["用户偏好 zsh", "用户喜欢用 zsh"]);
    await remember("用户喜爱 zsh");
    expect(await contents()).toHaveLength(3);
  });

  it("it is true or false", () => {
    const wrong = { nearDuplicates: 0.8 as unknown as boolean };
    expect(() => new MemoryWorkspace(wrong)).toThrow("nearDuplicates must be true or false");
  });
});
