import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { describe, expect, it, onTestFinished } from "vitest";
import { LangGraphMemoryStore, MemoryWorkspace } from "../../src/index.js";
import { crossSessionMemoryMiddleware } from "../../src/middleware/index.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { agentWorld } from "./world.js";

const thread = (id: string, context?: object) => ({
  configurable: { thread_id: id },
  ...(context && { context }),
});
const says = (content: string) => ({ messages: [{ role: "user", content }] });

/** An agent whose memories are in the store that it was made with, and a view of that store from the app's code. */
async function runtimeWorld(
  options: { readonly userId?: () => string; readonly store?: InMemoryStore | null } = {},
) {
  const world = await agentWorld();
  const logger = new CollectingLogger();
  const store = options.store === undefined ? new InMemoryStore() : options.store;
  const agent = createAgent({
    model: world.model,
    tools: [],
    checkpointer: new MemorySaver(),
    ...(store !== null && { store }),
    middleware: [
      crossSessionMemoryMiddleware({
        dir: world.dir,
        store: "runtime",
        logger,
        ...(options.userId && { userId: options.userId }),
      }),
    ],
  });
  const view = (baseStore: InMemoryStore) => {
    const workspace = new MemoryWorkspace({ dir: world.dir, store: new LangGraphMemoryStore(baseStore) });
    onTestFinished(() => workspace.close());
    return workspace;
  };
  return { ...world, agent, store, logger, view };
}

describe('store: "runtime"', () => {
  it("keeps memories and what waits in the store of createAgent, which any process may share", async () => {
    const { agent, store, chats, view, dir, logger } = await runtimeWorld();
    const app = view(store as InMemoryStore);
    await app.memories.add("The user lives in Graz.");
    await agent.invoke(says("M1"), thread("one"));
    expect(chats[0]?.messages[0]?.content).toContain("The user lives in Graz.");
    expect(await app.waiting.count()).toMatchObject({ messages: 2, sessions: 1 });
    const onDisk = new MemoryWorkspace({ dir });
    onTestFinished(() => onDisk.close());
    expect(await onDisk.waiting.count()).toMatchObject({ messages: 0 });
    expect(logger.all).toBe("");
  });

  it("keeps users apart", async () => {
    let user = "ada";
    const { agent, store, chats, view } = await runtimeWorld({ userId: () => user });
    const app = view(store as InMemoryStore);
    await app.forUser("ada").memories.add("Ada plays the viola.");
    await agent.invoke(says("M1"), thread("one"));
    user = "bert";
    await agent.invoke(says("M2"), thread("two"));
    expect(chats.map(({ messages }) => String(messages[0]?.content).includes("viola"))).toEqual([
      true,
      false,
    ]);
    expect(await app.forUser("bert").waiting.count()).toMatchObject({ messages: 2 });
    expect(await app.waiting.count()).toMatchObject({ messages: 0 });
  });

  it("without a store goes on with rules and skills alone, records nothing and says so once", async () => {
    const { agent, chats, workspace, logger, dir } = await runtimeWorld({ store: null });
    await workspace.memories.add("The user lives in Graz.");
    for (const id of ["one", "two"]) await agent.invoke(says("M1"), thread(id));
    expect(JSON.stringify(chats)).not.toContain("Graz");
    expect(logger.warnings).toHaveLength(1);
    expect(logger.warnings[0]).toContain('store is "runtime"');
    const onDisk = new MemoryWorkspace({ dir });
    onTestFinished(() => onDisk.close());
    expect(await onDisk.waiting.count()).toMatchObject({ messages: 0 });
  });

  it("is refused where no run brings a store", () => {
    expect(() => new MemoryWorkspace({ store: "runtime" as never })).toThrow(
      /"runtime" is for the middleware/,
    );
    const workspace = new MemoryWorkspace();
    expect(() => crossSessionMemoryMiddleware({ workspace, store: "runtime" })).toThrow(/store/);
  });
});
