import { RunnableLambda } from "@langchain/core/runnables";
// Loaded as an agent loads it: from then on runs hand their config on by the async context.
import "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { longTalk } from "../extraction/world.js";
import { sendCompletion, startModelServer } from "../support/model-server.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A server whose extraction waits until a test lets it go; everything else is answered at once. */
async function world(modelOptions: object = {}) {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let wasAborted = false;
  const server = await startModelServer(({ messages }) => {
    if (messages[0]?.role !== "system") return "Hello there";
    return async (response, request) => {
      response.on("close", () => {
        wasAborted ||= !response.writableEnded;
      });
      await gate;
      sendCompletion(response, request, '{"memories":[{"content":"LEAKMARK","session":null}]}');
    };
  });
  const model = server.model(modelOptions);
  const workspace = new MemoryWorkspace({ dir: await temporaryFolder(), model });
  const chain = RunnableLambda.from(async (text: string, config) => {
    const answer = await model.invoke(text, config);
    await workspace.recordTurn("s1", [["human", `${text} ${longTalk}`], answer]);
    return String(answer.content);
  });
  const isAsked = () => expect.poll(() => server.requests.length, { timeout: 10_000 }).toBe(2);
  return { workspace, chain, model, letGo, isAsked, wasAborted: () => wasAborted, requests: server.requests };
}

describe("an extraction is outside of the run that it follows", () => {
  it("`streamEvents` shows nothing of it, also with the same model object", async () => {
    const { workspace, chain, letGo, isAsked } = await world();
    const events: string[] = [];
    letGo();
    for await (const event of chain.streamEvents("hi", { version: "v2", tags: ["the run's"] })) {
      events.push(JSON.stringify(event));
      // Still in the run when the extraction is under way.
      if (event.event === "on_chain_end") await isAsked();
    }
    await workspace.idle();
    expect((await workspace.memories.list()).map(({ content }) => content)).toEqual(["LEAKMARK"]);
    expect(events.join("\n")).toContain("Hello there");
    expect(events.join("\n")).not.toMatch(/LEAKMARK|memory_extraction|新对话/);
    expect(events.filter((event) => event.includes('"on_chat_model_start"'))).toHaveLength(1);
  });

  it("callbacks of the run are not called for it", async () => {
    const { workspace, chain, letGo } = await world();
    const starts: string[] = [];
    letGo();
    await chain.invoke("hi", {
      callbacks: [
        {
          handleChatModelStart: (_, __, ___, ____, _____, tags) => {
            starts.push(JSON.stringify(tags));
          },
        },
      ],
    });
    await workspace.idle();
    expect(starts).toHaveLength(1);
    expect(await workspace.memories.list()).toHaveLength(1);
  });

  it("callbacks of the model itself are called for it, as for a run of its own", async () => {
    const runs: { parent: string | undefined; tags: string; metadata: string }[] = [];
    const callbacks = [
      {
        handleChatModelStart: (
          _: unknown,
          __: unknown,
          ___: string,
          parent?: string,
          ____?: unknown,
          tags: string[] = [],
          metadata: object = {},
        ) => {
          runs.push({ parent, tags: tags.join(), metadata: JSON.stringify(metadata) });
        },
      },
    ];
    const { workspace, chain, letGo } = await world({ callbacks, maxRetries: 1 });
    letGo();
    await chain.invoke("hi", { tags: ["the run's"], metadata: { mark: "the run's" } });
    await workspace.idle();
    expect(runs).toHaveLength(2);
    const [chat, extraction] = runs;
    expect(chat).toMatchObject({ tags: expect.stringContaining("the run's") });
    expect(JSON.stringify(extraction)).not.toContain("the run's");
    // Its parent is the structured request's own sequence, not the chain.
    expect(extraction?.parent).not.toBe(chat?.parent);
  });

  it("a run that is aborted after its result takes it not along", async () => {
    const { workspace, chain, letGo, isAsked, wasAborted } = await world();
    const abort = new AbortController();
    await chain.invoke("hi", { signal: abort.signal });
    await isAsked();
    abort.abort();
    letGo();
    await workspace.idle();
    expect(wasAborted()).toBe(false);
    expect(await workspace.memories.list()).toHaveLength(1);
  });

  it("a stream that is broken off does not end it, and nothing is left unhandled", async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", listen);
    const { workspace, chain, letGo, isAsked, wasAborted } = await world();
    for await (const event of chain.streamEvents("hi", { version: "v2" })) {
      if (event.event !== "on_chain_end") continue;
      await isAsked();
      break;
    }
    letGo();
    await workspace.idle();
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", listen);
    expect(unhandled).toEqual([]);
    expect(wasAborted()).toBe(false);
    expect(await workspace.memories.list()).toHaveLength(1);
  });

  it("a time-out of the run does not end it", async () => {
    const { workspace, chain, letGo, isAsked, wasAborted } = await world();
    await chain.invoke("hi", { timeout: 5000 });
    await isAsked();
    letGo();
    await workspace.idle();
    expect(wasAborted()).toBe(false);
    expect(await workspace.memories.list()).toHaveLength(1);
  });
});

describe("callbacks and tags of the extraction model itself", () => {
  it("are kept, in the structured and in the plain request", async () => {
    const seen: { tags: readonly string[]; name: string | undefined }[] = [];
    const server = await startModelServer(({ response_format: format }) =>
      format === undefined ? "[]" : (response) => void response.writeHead(400).end("{}"),
    );
    const callbacks = [
      {
        handleChatModelStart: (
          _: unknown,
          __: unknown,
          ___: string,
          ____?: string,
          _____?: unknown,
          tags: string[] = [],
        ) => {
          seen.push({ tags, name: undefined });
        },
      },
    ];
    for (const options of [{}, { streaming: true }]) {
      seen.length = 0;
      const model = server.model({ callbacks, tags: ["extraction of mine"], ...options });
      const before = JSON.stringify([model.tags, model.streaming]);
      const workspace = new MemoryWorkspace({ dir: await temporaryFolder(), model });
      await workspace.recordTurn("s1", [
        ["human", "hi"],
        ["ai", "ok"],
      ]);
      expect(await workspace.extractNow()).toMatchObject({ requests: 2, remaining: 0 });
      expect(seen.map(({ tags }) => tags.includes("extraction of mine"))).toEqual([true, true]);
      expect(JSON.stringify([model.tags, model.streaming])).toBe(before);
    }
  });
});
