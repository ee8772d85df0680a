import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InMemoryStore } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import {
  LangGraphMemoryStore,
  type MemoryItem,
  MemoryWorkspace,
  type WorkspaceOptions,
} from "../../src/index.js";
import { FixedClock } from "../support/clock.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { fact, manyFacts } from "./facts.js";

const zither = fact("The user owns an old zither and plays it on Sundays", -1);

async function open(options: WorkspaceOptions, memories: readonly MemoryItem[] = [zither, ...manyFacts()]) {
  const dir = await temporaryFolder();
  await mkdir(join(dir, "memory"));
  await writeFile(join(dir, "memory", "memory.json"), JSON.stringify(memories));
  const logger = new CollectingLogger();
  const workspace = new MemoryWorkspace(
    { dir, logger, memoryBudget: 1024, limit: 1000, ...options },
    new FixedClock(),
  );
  return { dir, logger, workspace };
}

async function memorySegment(workspace: MemoryWorkspace, query?: string, sessionId?: string) {
  const { segments } = await workspace.assembleContext({ query, sessionId, summary: "" });
  return segments.find(({ kind }) => kind === "memory");
}

describe("the option selection", () => {
  it("is newest by default: the query changes nothing", async () => {
    const { workspace } = await open({});
    const newest = await memorySegment(workspace);
    expect(await memorySegment(workspace, "Where is my zither?")).toEqual(newest);
    expect(newest?.sources).not.toContain(zither.id);
    expect(newest?.sources.at(-1)).toBe(manyFacts().at(-1)?.id);
  });

  it("relevant: what is asked for is in, oldest first, and the note counts the rest", async () => {
    const { workspace, logger } = await open({ selection: "relevant", locale: "en" });
    const segment = await memorySegment(workspace, "Where is my zither?");
    expect(segment?.sources[0]).toBe(zither.id);
    expect(segment?.bytes).toBeLessThanOrEqual(1024);
    expect(segment?.bytes).toBeGreaterThan(900);
    expect(segment?.text).toContain(`- ${zither.content}\n`);
    expect(segment?.text).toContain(String(61 - (segment?.sources.length ?? 0)));
    expect(segment?.omitted).toBe(61 - (segment?.sources.length ?? 0));
    expect(logger.all).toBe("");
  });

  it.each(["relevant", () => []] as const)(
    "with everything within the budget the bytes are those of the contract (%s)",
    async (selection) => {
      const few = [zither, ...manyFacts(9)];
      const [given, contract] = await Promise.all([open({ selection }, few), open({}, few)]);
      const text = async ({ workspace }: { workspace: MemoryWorkspace }) =>
        (await workspace.assembleContext({ query: "Where is my zither?" })).text;
      expect(await text(given)).toBe(await text(contract));
      expect(await text(given)).toContain(zither.content);
    },
  );

  it("within a session the prompt changes only where something is asked for", async () => {
    const { workspace } = await open({ selection: "relevant" });
    const greeting = await memorySegment(workspace, "good morning", "s");
    expect(await memorySegment(workspace, "I tuned my zither.", "s")).toEqual(greeting);
    const asked = await memorySegment(workspace, "Where is my zither?", "s");
    expect(asked?.sources).toContain(zither.id);
    expect(await memorySegment(workspace, "Where is my zither?", "s")).toEqual(asked);
    expect(await memorySegment(workspace, "Thanks.", "s")).toEqual(asked);
    expect(await memorySegment(workspace, "good morning", "another")).toEqual(greeting);
    const ofUser = workspace.forUser("u");
    await ofUser.memories.save(manyFacts());
    expect((await memorySegment(ofUser, "Thanks.", "s"))?.sources).not.toContain(zither.id);
  });

  it("without a session it chooses anew each time", async () => {
    const { workspace } = await open({ selection: "relevant" });
    await memorySegment(workspace, "good morning");
    expect((await memorySegment(workspace, "I tuned my zither."))?.sources).toContain(zither.id);
  });

  it("gives no deleted memory and what was learned since", async () => {
    const { workspace } = await open({ selection: "relevant" });
    const ask = () => memorySegment(workspace, "Where is my zither?", "s");
    expect((await ask())?.sources).toContain(zither.id);
    await workspace.memories.remove(zither.id);
    const { id } = await workspace.memories.add("The user sold the zither");
    const { sources = [] } = (await ask()) ?? {};
    expect(sources).not.toContain(zither.id);
    expect(sources).toContain(id);
  });

  it("works over a LangGraph store, which gives a new list each time", async () => {
    const store = new LangGraphMemoryStore(new InMemoryStore());
    const { workspace } = await open({ selection: "relevant", store });
    await workspace.memories.save([zither, ...manyFacts()]);
    expect((await memorySegment(workspace, "Where is my zither?", "s"))?.sources).toContain(zither.id);
    expect((await memorySegment(workspace, "Thanks.", "s"))?.sources).toContain(zither.id);
  });

  it("a function gets copies, the words and the room, and is held to the budget", async () => {
    const requests: unknown[] = [];
    const { workspace } = await open({
      selection: async (memories, request) => {
        requests.push(request);
        for (const memory of memories) Object.assign(memory, { content: "overwritten" });
        return memories;
      },
    });
    const segment = await memorySegment(workspace, "hello");
    expect(requests).toEqual([{ query: "hello", budgetBytes: expect.any(Number) }]);
    expect(segment?.sources[0]).toBe(zither.id);
    expect(segment?.bytes).toBeLessThanOrEqual(1024);
    expect(segment?.text).not.toContain("overwritten");
  });

  it.each([
    () => {
      throw new Error("secret");
    },
    async () => {
      throw new Error("secret");
    },
    () => "nonsense",
    () => undefined,
  ])("a function that fails costs the conversation nothing: the newest, one warning (%#)", async (broken) => {
    const { workspace, logger } = await open({ selection: broken as unknown as () => [] });
    const newest = await memorySegment((await open({})).workspace);
    expect(await memorySegment(workspace, "hello")).toEqual(newest);
    expect(await memorySegment(workspace, "hello")).toEqual(newest);
    expect(logger.warnings).toHaveLength(1);
    expect(logger.all).toContain("the selection of memories failed");
    expect(logger.all).not.toContain("secret");
  });

  it.each([
    ["oldest", "ERR_OPTION_RANGE"],
    [7, "ERR_OPTION_TYPE"],
    [{}, "ERR_OPTION_TYPE"],
  ])("refuses %j", (selection, code) => {
    const construct = () => new MemoryWorkspace({ selection: selection as "newest" });
    expect(construct).toThrow(expect.objectContaining({ code }));
    expect(construct).toThrow('selection must be "newest", "relevant" or a function');
  });

  it("pinned memories stay whatever is asked, and where the newest are kept", async () => {
    const pinned = { ...zither, pinned: true };
    for (const selection of ["newest", "relevant"] as const) {
      const { workspace } = await open({ selection }, [pinned, ...manyFacts()]);
      const segment = await memorySegment(workspace, "the telescope");
      expect(segment?.sources[0]).toBe(pinned.id);
      expect(segment?.bytes).toBeLessThanOrEqual(1024);
      expect(segment?.omitted).toBe(61 - (segment?.sources.length ?? 0));
    }
  });
});
