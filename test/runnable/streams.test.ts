import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { HumanMessage } from "@langchain/core/messages";
import { JsonOutputParser, StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { type Runnable, RunnableLambda, RunnableSequence } from "@langchain/core/runnables";
import { describe, expect, test } from "vitest";
import { withCrossSessionMemory } from "../../src/index.js";
import { bundle } from "../support/bundle.js";
import { type CompletionRequest, startModelServer } from "../support/model-server.js";
import { makeWorld, waitingIn } from "./world.js";

const prompt = ChatPromptTemplate.fromMessages([
  ["placeholder", "{history}"],
  ["human", "{input}"],
]);
const parser = new StringOutputParser();

/** Gives its input back in pieces of one character, and throws where it comes to "!". */
const spelling = RunnableLambda.from(async function* (values: { input: string }) {
  for (const piece of values.input) {
    if (piece === "!") throw new Error("the model broke off");
    yield piece;
  }
} as never) as unknown as RunnableLambda<{ input: string }, string>;

async function piecesOf<Piece>(stream: AsyncIterable<Piece>): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

describe("a stream", () => {
  test("keeps its pieces: five stay five", async () => {
    const { workspace, waiting } = await makeWorld();
    const chat = withCrossSessionMemory(spelling, { workspace });
    expect(await piecesOf(await chat.stream({ input: "hello" }))).toEqual(["h", "e", "l", "l", "o"]);
    expect(await waiting()).toEqual(["user: hello", "assistant: hello"]);
  });

  test("of a real client has as many pieces as without the wrapper", async () => {
    const { workspace, model } = await makeWorld({ reply: () => "hello" });
    const chain = ChatPromptTemplate.fromMessages([["human", "{input}"]])
      .pipe(model)
      .pipe(parser);
    const bare = await piecesOf(await chain.stream({ input: "hi" }));
    const wrapped = await piecesOf(
      await withCrossSessionMemory(chain, { workspace }).stream({ input: "hi" }),
    );
    expect(wrapped).toEqual(bare);
    expect(wrapped.length).toBeGreaterThanOrEqual(5);
  });

  test("of messages is recorded as the whole message", async () => {
    const { workspace, model, waiting } = await makeWorld({ reply: () => "hello" });
    const chat = withCrossSessionMemory(model, { workspace });
    const pieces = await piecesOf(await chat.stream("hi"));
    expect(pieces.map(({ text }) => text).join("")).toBe("hello");
    expect(await waiting()).toEqual(["user: hi", "assistant: hello"]);
  });

  test("whose pieces each hold the whole answer so far is recorded once", async () => {
    const { workspace, model, waiting } = await makeWorld({ reply: () => '{"answer":"hello","sure":true}' });
    const chain = prompt.pipe(model).pipe(new JsonOutputParser<{ answer: string; sure: boolean }>());
    const chat = withCrossSessionMemory(chain, { workspace, outputKey: "answer" });
    const pieces = await piecesOf(await chat.stream({ input: "hi" }));
    expect(pieces.at(-1)).toEqual({ answer: "hello", sure: true });
    expect(await waiting()).toEqual(["user: hi", "assistant: hello"]);
  });

  test("whose pieces can't be put together goes through, is not recorded, and is warned of", async () => {
    const { workspace, waiting, logger } = await makeWorld();
    const odd = RunnableLambda.from(async function* () {
      yield true;
      yield false;
    } as never) as unknown as RunnableLambda<{ input: string }, boolean>;
    const chat = withCrossSessionMemory(odd, { workspace });
    expect(await piecesOf(await chat.stream({ input: "hi" }))).toEqual([true, false]);
    expect(await waiting()).toEqual([]);
    expect(logger.warnings).toEqual([expect.stringContaining("a turn is not recorded")]);
  });

  test("goes on through a longer sequence in as many pieces", async () => {
    const { workspace, waiting } = await makeWorld();
    const shout = RunnableLambda.from(async function* (pieces: AsyncIterable<string>) {
      for await (const piece of pieces) yield piece.toUpperCase();
    } as never);
    const sequence = RunnableSequence.from([
      RunnableLambda.from((text: string) => ({ input: text })),
      withCrossSessionMemory(spelling, { workspace }),
      parser,
      shout as never,
    ]);
    const pieces = await piecesOf(await sequence.stream("hello"));
    expect(pieces.join("").toLowerCase()).toBe("hello");
    expect(await waiting()).toEqual(["user: hello", "assistant: hello"]);
    const plain = RunnableSequence.from([
      RunnableLambda.from((text: string) => ({ input: text })),
      withCrossSessionMemory(spelling, { workspace }),
      parser,
    ]);
    expect(await piecesOf(await plain.stream("hello"))).toHaveLength(5);
  });
});

describe("only a completed turn is recorded", () => {
  test("left in the middle, it is not", async () => {
    const { workspace, waiting, logger } = await makeWorld();
    const chat = withCrossSessionMemory(spelling, { workspace });
    let pieces = 0;
    for await (const _ of await chat.stream({ input: "0123456789" })) if (++pieces === 2) break;
    await workspace.idle();
    expect(await waiting()).toEqual([]);
    expect(await piecesOf(await chat.stream({ input: "next" }))).toHaveLength(4);
    expect(await waiting()).toEqual(["user: next", "assistant: next"]);
    expect(logger.all).toBe("");
  });

  test("aborted in the middle, it is not", async () => {
    const { workspace, waiting } = await makeWorld();
    const chat = withCrossSessionMemory(spelling, { workspace });
    const abort = new AbortController();
    let pieces = 0;
    const stream = await chat.stream({ input: "0123456789" }, { signal: abort.signal });
    await expect(async () => {
      for await (const _ of stream) if (++pieces === 2) abort.abort();
    }).rejects.toThrow();
    await workspace.idle();
    expect(await waiting()).toEqual([]);
    await chat.invoke({ input: "next" });
    expect(await waiting()).toEqual(["user: next", "assistant: next"]);
  });

  test("aborted while what is wrapped does not heed the signal, it is not either", async () => {
    const { workspace, waiting } = await makeWorld();
    const abort = new AbortController();
    const deaf = Object.assign(
      RunnableLambda.from((text: string) => text),
      {
        async stream() {
          return (async function* () {
            yield "a";
            abort.abort();
          })();
        },
      },
    );
    const chat = withCrossSessionMemory(deaf, { workspace });
    const stream = await chat.stream("hi", { signal: abort.signal });
    await expect(piecesOf(stream)).rejects.toThrow();
    await chat.invoke("next");
    expect(await waiting()).toEqual(["user: next", "assistant: next"]);
  });

  test("failed in the middle, it is not, and the error is the app's own", async () => {
    const { workspace, waiting, logger } = await makeWorld();
    const chat = withCrossSessionMemory(spelling, { workspace });
    await expect(async () => piecesOf(await chat.stream({ input: "01!" }))).rejects.toThrow(
      "the model broke off",
    );
    await expect(chat.invoke({ input: "!" })).rejects.toThrow("the model broke off");
    expect(await waiting()).toEqual([]);
    await chat.invoke({ input: "next" });
    expect(await waiting()).toEqual(["user: next", "assistant: next"]);
    expect(logger.all).toBe("");
  });

  test("the user's words of a failed turn come with the next one, where they still stand in the conversation", async () => {
    const { workspace, model, waiting } = await makeWorld({
      reply: (_, index) => (index === 0 ? (response) => void response.destroy() : "answer"),
    });
    const chat = withCrossSessionMemory(model, { workspace });
    const conversation = [new HumanMessage("my name is Bo")];
    await expect(chat.invoke(conversation)).rejects.toThrow();
    conversation.push(new HumanMessage("are you there?"));
    await chat.invoke(conversation);
    expect(await waiting()).toEqual(["user: my name is Bo", "user: are you there?", "assistant: answer"]);
  });

  test("nothing is left behind: no lock, no temporary file", async () => {
    const { workspace, dir } = await makeWorld();
    const chat = withCrossSessionMemory(spelling, { workspace, sessionId: "s" });
    await chat.invoke({ input: "first" });
    for await (const _ of await chat.stream({ input: "0123456789" })) break;
    await expect(chat.invoke({ input: "!" })).rejects.toThrow();
    await workspace.idle();
    const files = (await readdir(dir, { recursive: true })).sort();
    expect(files).toEqual([
      "chats",
      "chats/s.jsonl",
      "memory",
      "memory/waiting.jsonl",
      "rules",
      "rules/style.md",
      "skills",
    ]);
  });

  test("no rejection is left unhandled", async () => {
    const { dir } = await makeWorld();
    const { file, remove } = await bundle("test/runnable/child.ts");
    try {
      const { code, output } = await run(["--unhandled-rejections=strict", file, dir]);
      expect(output).toContain("rejections: 3, answers: 2");
      expect(code).toBe(0);
      expect(await waitingIn(dir)).toEqual(["user: one", "assistant: one", "user: two", "assistant: two"]);
    } finally {
      await remove();
    }
  });
});

describe("the extraction is in nobody's stream", () => {
  const isExtraction = ({ messages }: CompletionRequest) =>
    String(messages[0]?.content).startsWith("Your task is to pick out");
  const places: [string, (chat: Runnable<{ input: string }, string>) => Runnable][] = [
    ["by itself", (chat) => chat],
    [
      "within an outer run",
      (chat) =>
        RunnableLambda.from((input: never, config) => chat.invoke(input, config)).withConfig({ tags: ["t"] }),
    ],
  ];
  test.each(places)(
    "%s, nor in the events or callbacks, though one model object does both",
    async (_, place) => {
      const server = await startModelServer((request) =>
        isExtraction(request) ? '[{"content":"LEAKMARK"}]' : "hello",
      );
      const model = server.model();
      const { workspace } = await makeWorld({ model, extractionTriggerChars: 1, structuredOutput: "off" });
      const chat = place(withCrossSessionMemory(prompt.pipe(model).pipe(parser), { workspace }));
      const started: string[] = [];
      const callbacks = [
        {
          handleChatModelStart: (_: unknown, messages: unknown) =>
            void started.push(JSON.stringify(messages)),
        },
      ];
      const events: unknown[] = [];
      for await (const event of chat.streamEvents({ input: "hi" }, { version: "v2", callbacks }))
        events.push(event);
      await workspace.idle();
      expect(server.requests.filter(isExtraction)).toHaveLength(1);
      expect((await workspace.memories.list()).map(({ content }) => content)).toEqual(["LEAKMARK"]);
      expect(JSON.stringify(events)).not.toMatch(/LEAKMARK|Your task is to pick out/);
      expect(started).toHaveLength(1);
    },
  );

  test("and the events of what is wrapped are those that it has without the wrapper", async () => {
    const { workspace, model } = await makeWorld({ rule: "", reply: () => "hello" });
    const chain = prompt.pipe(model).pipe(parser).withConfig({ runName: "chat" });
    const seen = async (runnable: typeof chain) => {
      const names: string[] = [];
      for await (const { event, name, tags } of runnable.streamEvents({ input: "hi" }, { version: "v2" })) {
        names.push(`${event} ${name} ${(tags ?? []).join()}`);
      }
      // Pieces overtake one another on their way through the layers.
      return names.sort();
    };
    const bare = await seen(chain);
    expect(await seen(withCrossSessionMemory(chain, { workspace }) as never)).toEqual(bare);
    await workspace.memories.add("Something to inject");
    expect(await seen(withCrossSessionMemory(chain, { workspace }) as never)).toEqual(bare);
  });

  test("the end of a stream does not wait for it, and it goes on when the run's signal is aborted", async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { workspace, model } = await makeWorld({
      extractionTriggerChars: 1,
      extraction: [
        async () => {
          await answered;
          return '[{"content":"The user is Bo"}]';
        },
      ],
    });
    const abort = new AbortController();
    const chat = withCrossSessionMemory(prompt.pipe(model).pipe(parser), { workspace });
    await piecesOf(await chat.stream({ input: "hi" }, { signal: abort.signal }));
    abort.abort();
    expect(await workspace.memories.list()).toEqual([]);
    answer();
    await workspace.idle();
    expect((await workspace.memories.list()).map(({ content }) => content)).toEqual(["The user is Bo"]);
  });
});

async function run(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, args);
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}
