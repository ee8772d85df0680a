import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { makeWorld, type World } from "../extraction/world.js";

type Said = { id?: string; role: "user" | "assistant"; content: string };

async function waiting({ workspace }: World): Promise<string[]> {
  return (await workspace.store.waiting.read()).map(({ text }) => text);
}

/** Eight turns; "ok" is said again and again. */
function turns(): Said[] {
  return Array.from({ length: 8 }, (_, index): Said[] => [
    { role: "user", content: index % 2 === 0 ? "ok" : `question ${index}` },
    { role: "assistant", content: index % 3 === 0 ? "ok" : `answer ${index}` },
  ]).flat();
}

describe("each turn is recorded once, whatever a caller does with ids", () => {
  const everything = turns().map(({ content }) => content);
  let counter = 0;
  const forms: [string, (said: Said, index: number, call: number) => Said][] = [
    ["no ids", (said) => said],
    ["the same ids at each call, as with a checkpointer", (said, index) => ({ ...said, id: `m${index}` })],
    ["new random ids at each call", (said) => ({ ...said, id: `r${counter++}` })],
    ["the same id on different messages", (said, index) => ({ ...said, id: `same${Math.floor(index / 4)}` })],
    [
      "one id for every reply",
      (said, index) => (said.role === "user" ? { ...said, id: `u${index}` } : { ...said, id: "reply" }),
    ],
    [
      "ids from the second call on",
      (said, index, call) => (index >= 2 * call ? said : { ...said, id: `m${index}` }),
    ],
    ["ids of replies alone", (said, index) => (said.role === "user" ? said : { ...said, id: `a${index}` })],
  ];

  it.each(forms)("the whole history at each call, %s", async (_, form) => {
    const world = await makeWorld();
    for (let call = 0; call < 8; call++) {
      const history = turns().slice(0, 2 * call + 2);
      await world.workspace.recordTurn(
        "s1",
        history.map((said, index) => form(said, index, call)),
      );
    }
    expect(await waiting(world)).toEqual(everything);
  });

  it.each(forms)("the turn alone at each call, %s", async (_, form) => {
    const world = await makeWorld();
    for (let call = 0; call < 8; call++) {
      const turn = turns().slice(2 * call, 2 * call + 2);
      await world.workspace.recordTurn(
        "s1",
        turn.map((said, index) => form(said, 2 * call + index, call)),
      );
    }
    expect(await waiting(world)).toEqual(everything);
  });

  it("and extracted once, with an extraction after each call", async () => {
    const world = await makeWorld();
    for (let call = 0; call < 8; call++) {
      await world.workspace.recordTurn("s1", turns().slice(0, 2 * call + 2));
      expect(await world.workspace.extractNow()).toMatchObject({ requests: 1, remaining: 0 });
    }
    const sent = world.model.prompts.flatMap((prompt) =>
      Array.from(prompt.matchAll(/"content":"(.*?)"/g), ([, content]) => content),
    );
    expect(sent).toEqual(everything);
  });

  it.each([false, true])(
    "a turn that is given twice with its ids is recorded once (extracted in between: %s)",
    async (isExtracted) => {
      const world = await makeWorld();
      const turn = [
        { role: "user", content: "hi", id: "u1" },
        { role: "assistant", content: "ok", id: "a1" },
      ];
      await world.workspace.recordTurn("s1", turn);
      if (isExtracted) await world.workspace.extractNow();
      await world.workspace.recordTurn("s1", turn);
      expect(await waiting(world)).toEqual(isExtracted ? [] : ["hi", "ok"]);
    },
  );

  it("an id belongs to its session: the same in two sessions is two messages", async () => {
    const world = await makeWorld();
    const turn = [
      { role: "user", content: "hi", id: "u1" },
      { role: "assistant", content: "ok", id: "a1" },
    ];
    await world.workspace.recordTurn("s1", turn);
    await world.workspace.recordTurn("s2", turn);
    expect(await waiting(world)).toEqual(["hi", "ok", "hi", "ok"]);
  });
});

describe("a history that is edited, forked or shortened", () => {
  const conversation = Array.from(
    { length: 20 },
    (_, index): Said => ({
      id: `m${index}`,
      role: index % 2 === 0 ? "user" : "assistant",
      content: `text ${index}`,
    }),
  );
  const distilled = async () => {
    const world = await makeWorld();
    for (let end = 2; end <= 20; end += 2) await world.workspace.recordTurn("s1", conversation.slice(0, end));
    await world.workspace.extractNow();
    expect(await waiting(world)).toEqual([]);
    return world;
  };
  const next: Said[] = [
    { id: "n1", role: "user", content: "new question" },
    { id: "n2", role: "assistant", content: "new answer" },
  ];

  it("shrinks to five by a summary", async () => {
    const world = await distilled();
    const summary = new HumanMessage({
      id: "m0",
      content: "Summary of it all",
      additional_kwargs: { lc_source: "summarization" },
    });
    await world.workspace.recordTurn("s1", [summary, ...conversation.slice(-2), ...next]);
    expect(await waiting(world)).toEqual(["new question", "new answer"]);
  });

  it("a summary right before the new turn is not what the user said, though it has the id of a message", async () => {
    const world = await makeWorld();
    const summary = new HumanMessage({
      id: "m0",
      content: "Summary of it all",
      additional_kwargs: { lc_source: "summarization" },
    });
    await world.workspace.recordTurn("s1", [summary, ...next]);
    expect(await waiting(world)).toEqual(["new question", "new answer"]);
  });

  it("an edited message is new", async () => {
    const world = await distilled();
    await world.workspace.recordTurn("s1", [
      ...conversation.slice(0, 18),
      { id: "m18", role: "user", content: "text 18, edited" },
      { id: "m21", role: "assistant", content: "another answer" },
    ]);
    expect(await waiting(world)).toEqual(["text 18, edited", "another answer"]);
  });

  it("an edited message that a checkpointer put in its place is new, the answer that still stands behind it is not", async () => {
    const world = await distilled();
    await world.workspace.recordTurn("s1", [
      ...conversation.slice(0, 18),
      { id: "m18", role: "user", content: "text 18, edited" },
      ...conversation.slice(19),
      { id: "m21", role: "assistant", content: "another answer" },
    ]);
    expect(await waiting(world)).toEqual(["text 18, edited", "another answer"]);
  });

  it("an answer that is made again is new, its question is not", async () => {
    const world = await distilled();
    await world.workspace.recordTurn("s1", [
      ...conversation.slice(0, 19),
      { id: "m21", role: "assistant", content: "another answer" },
    ]);
    expect(await waiting(world)).toEqual(["another answer"]);
  });

  it("restarts with an empty list under the same id", async () => {
    const world = await distilled();
    await world.workspace.recordTurn("s1", next);
    expect(await waiting(world)).toEqual(["new question", "new answer"]);
  });

  it("a fork from an earlier checkpoint records no message again", async () => {
    const world = await distilled();
    await world.workspace.recordTurn("s1", [...conversation.slice(0, 10), ...next]);
    await world.workspace.recordTurn("s1", [...conversation.slice(0, 10), ...next]);
    expect(await waiting(world)).toEqual(["new question", "new answer"]);
  });
});

describe("a turn that is not completed", () => {
  const user = (id: number) => ({ role: "user", content: `question ${id}`, id: `u${id}` });
  const answer = (id: number) => ({ role: "assistant", content: `answer ${id}`, id: `a${id}` });
  const calls = (id: number) =>
    new AIMessage({ id: `c${id}`, content: "I'll look", tool_calls: [{ name: "look", args: {}, id: "t1" }] });
  const result = () => new ToolMessage({ content: "TOOL RESULT", tool_call_id: "t1" });

  it("that failed: its user message is recorded once, with the session's next completed turn", async () => {
    const world = await makeWorld();
    await world.workspace.recordTurn("s1", [user(1)]);
    expect(await waiting(world)).toEqual([]);
    await world.workspace.recordTurn("s1", [user(1), user(2), answer(2)]);
    expect(await waiting(world)).toEqual(["question 1", "question 2", "answer 2"]);
    await world.workspace.recordTurn("s1", [user(1), user(2), answer(2), user(3), answer(3)]);
    expect(await waiting(world)).toEqual(["question 1", "question 2", "answer 2", "question 3", "answer 3"]);
  });

  it("that failed in a tool: its partial answer is never recorded", async () => {
    const world = await makeWorld();
    await world.workspace.recordTurn("s1", [user(1), calls(1), result(), user(2), answer(2)]);
    expect(await waiting(world)).toEqual(["question 1", "question 2", "answer 2"]);
  });

  it("that failed, and no longer stands in the conversation: it is never recorded", async () => {
    const world = await makeWorld();
    await world.workspace.recordTurn("s1", [user(1)]);
    await world.workspace.recordTurn("s1", [user(2), answer(2)]);
    expect(await waiting(world)).toEqual(["question 2", "answer 2"]);
  });

  it("that waits for a tool (an interrupt) is not recorded before it is resumed", async () => {
    const world = await makeWorld();
    await world.workspace.recordTurn("s1", [user(1), calls(1)]);
    expect(await waiting(world)).toEqual([]);
    await world.workspace.recordTurn("s1", [user(1), calls(1), result(), answer(1)]);
    expect(await waiting(world)).toEqual(["question 1", "I'll look", "answer 1"]);
  });

  it("tool calls and results are neither counted nor sent, what the assistant says beside them is", async () => {
    const world = await makeWorld();
    await world.workspace.recordTurn("s1", [
      new SystemMessage("SYSTEM"),
      user(1),
      calls(1),
      result(),
      calls(2),
      result(),
      answer(1),
    ]);
    expect(await waiting(world)).toEqual(["question 1", "I'll look", "I'll look", "answer 1"]);
    expect((await world.workspace.waiting.count()).characters).toBe(
      "question 1I'll lookI'll lookanswer 1".length,
    );
  });

  it("a turn that ends with a tool's result (return direct) is completed", async () => {
    const world = await makeWorld();
    await world.workspace.recordTurn("s1", [user(1), calls(1), result()]);
    expect(await waiting(world)).toEqual(["question 1", "I'll look"]);
  });
});

describe("recording costs the same in a session of 10 messages and of 10,000", () => {
  const countedLooks = async (length: number) => {
    const world = await makeWorld();
    const looks = new Set<string>();
    const history = Array.from({ length }, (_, index) => ({
      id: `m${index}`,
      role: index % 2 === 0 ? "user" : "assistant",
      content: `text ${index}`,
    }));
    const watched = new Proxy(history, {
      get(target, property, receiver) {
        if (typeof property === "string" && /^\d+$/.test(property)) looks.add(property);
        return Reflect.get(target, property, receiver) as unknown;
      },
    });
    await world.workspace.recordTurn("s1", watched);
    expect(await waiting(world)).toEqual([`text ${length - 2}`, `text ${length - 1}`]);
    return looks.size;
  };

  it("as many messages are looked at", async () => {
    const few = await countedLooks(10);
    expect(few).toBe(3);
    expect(await countedLooks(10_000)).toBe(few);
  });

  it("the session's record is bounded", async () => {
    const world = await makeWorld();
    for (let turn = 0; turn < 100; turn++) {
      await world.workspace.recordTurn("s1", [
        { role: "user", content: "x", id: `u${turn}` },
        { role: "assistant", content: "y", id: `a${turn}` },
      ]);
    }
    await world.workspace.extractNow();
    const record = await world.workspace.store.sessions.read("s1");
    expect(record?.seen.length).toBeLessThanOrEqual(64);
    expect(record?.extractedUpTo).toBe("a99");
  });
});
