import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InMemoryStore } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import {
  LangGraphMemoryStore,
  MemoryWorkspace,
  relevantTo,
  selectMemories,
  type WorkspaceOptions,
} from "../../src/index.js";
import { WatchedStore } from "../langgraph/watched-store.js";
import { FixedClock } from "../support/clock.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import { ScriptedModel } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { CountingEmbeddings } from "./counting-embeddings.js";
import { fact, manyFacts } from "./facts.js";

const cat = fact("The user lives with a kitten named Bao, who is grey", -1);
const all = [cat, ...manyFacts()];
const question = "Which feline do I own?";

async function open(options: WorkspaceOptions = {}, embeddings = new CountingEmbeddings()) {
  const dir = options.dir ?? (await temporaryFolder());
  const logger = new CollectingLogger();
  const clock = new FixedClock();
  const workspace = new MemoryWorkspace(
    { logger, memoryBudget: 1024, limit: 1000, selection: relevantTo(embeddings), ...options, dir },
    clock,
  );
  return { dir, logger, clock, workspace, embeddings, vectors: join(dir, "memory", "vectors.json") };
}

async function sources(workspace: MemoryWorkspace, query: string, sessionId?: string) {
  const { segments } = await workspace.assembleContext({ query, sessionId, summary: "" });
  return segments.find(({ kind }) => kind === "memory")?.sources ?? [];
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

describe("relevantTo(embeddings)", () => {
  it("finds what no word tells, and what words tell", async () => {
    const { workspace, logger } = await open();
    await workspace.memories.save(all);
    await workspace.idle();
    expect(await sources(workspace, question)).toContain(cat.id);
    const byWords = await sources(workspace, "house number 107?");
    expect(byWords).toContain(all.find(({ content }) => content.includes("107"))?.id);
    expect(logger.all).toBe("");
  });

  it("computes vectors when memories are stored, each content once, and the query's in the turn", async () => {
    const { workspace, embeddings } = await open();
    await workspace.memories.save(all);
    await workspace.idle();
    expect(embeddings.documents.flat().sort()).toEqual(all.map(({ content }) => content).sort());
    expect(embeddings.queries).toEqual([]);
    const { id } = await workspace.memories.add("The user drinks tea");
    await workspace.idle();
    expect(embeddings.documents.at(-1)).toEqual(["The user drinks tea"]);
    await workspace.memories.update(id, "The user drinks no tea");
    await workspace.idle();
    expect(embeddings.documents.at(-1)).toEqual(["The user drinks no tea"]);
    const before = embeddings.documents.length;
    await sources(workspace, question);
    expect(embeddings.queries).toEqual([question]);
    expect(embeddings.documents).toHaveLength(before);
  });

  it("computes those of what a model learned", async () => {
    const model = new ScriptedModel('[{"content":"The user owns an automobile"}]');
    const { workspace, embeddings } = await open({ model });
    await workspace.recordTurn("s", ["I have an automobile", { role: "assistant", content: "Nice." }]);
    await workspace.extractNow();
    await workspace.idle();
    expect(embeddings.documents.flat()).toEqual(["The user owns an automobile"]);
  });

  it("asks the embeddings for nothing where all fit, or nothing in the session is asked for", async () => {
    const { workspace, embeddings } = await open();
    await workspace.memories.save(all.slice(0, 5));
    await sources(workspace, question);
    expect(embeddings.queries).toEqual([]);
    await workspace.memories.save(all);
    await sources(workspace, question, "s");
    await sources(workspace, "Thanks.", "s");
    expect(embeddings.queries).toEqual([question]);
  });

  it("keeps vectors beside the memories, for another process too", async () => {
    const first = await open();
    await first.workspace.memories.save(all);
    await first.workspace.idle();
    const file = await readFile(first.vectors, "utf8");
    expect(Object.keys(JSON.parse(file))).toEqual(["CountingEmbeddings:meanings-1"]);
    expect(file).not.toMatch(/kitten|telescope/);
    expect((await stat(first.vectors)).mode & 0o777).toBe(0o600);
    const second = await open({ dir: first.dir });
    expect(await sources(second.workspace, question)).toContain(cat.id);
    expect(second.embeddings.documents).toEqual([]);
  });

  it("makes them anew for another model, also where it has the same name and other dimensions", async () => {
    const first = await open();
    await first.workspace.memories.save(all);
    await first.workspace.idle();
    const second = await open({ dir: first.dir }, new CountingEmbeddings("meanings-2"));
    await sources(second.workspace, question);
    await second.workspace.idle();
    expect(second.embeddings.documents.flat()).toHaveLength(all.length);
    const wider = new CountingEmbeddings("meanings-2");
    wider.more = 7;
    const third = await open({ dir: first.dir }, wider);
    await sources(third.workspace, question);
    await third.workspace.idle();
    expect(wider.documents.flat()).toHaveLength(all.length);
    expect(await sources(third.workspace, question)).toContain(cat.id);
  });

  it("leaves no vector of what was removed, corrected or cleared", async () => {
    const { workspace, vectors, dir } = await open();
    await workspace.memories.save(all);
    await workspace.idle();
    const count = async () =>
      Object.keys(Object.values(JSON.parse(await readFile(vectors, "utf8")))[0] ?? {}).length;
    expect(await count()).toBe(all.length);
    // A process without embeddings, too.
    const other = new MemoryWorkspace({ dir, logger: new CollectingLogger(), limit: 1000 });
    await other.memories.remove(cat.id);
    expect(await count()).toBe(all.length - 1);
    await other.memories.clear();
    expect(await exists(vectors)).toBe(false);
    expect((await readdir(join(dir, "memory"))).filter((name) => name.includes("vectors"))).toEqual([]);
  });

  it("brings no vector of a memory that was forgotten while it was made", async () => {
    const { workspace, embeddings, vectors } = await open();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      embeddings.before = async () => {
        resolve();
        await held;
      };
    });
    await workspace.memories.save(all);
    await asked;
    await workspace.memories.clear();
    release();
    await workspace.idle();
    expect(await exists(vectors)).toBe(false);
  });

  it("goes with its user", async () => {
    const { workspace, dir } = await open();
    const ofUser = workspace.forUser("u");
    await ofUser.memories.save(all);
    await workspace.idle();
    expect(await exists(join(dir, "memory", "vectors.json"))).toBe(false);
    const [folder = ""] = await readdir(join(dir, "users"));
    expect(await exists(join(dir, "users", folder, "memory", "vectors.json"))).toBe(true);
    await workspace.deleteUser("u");
    await workspace.idle();
    expect(await readdir(join(dir, "users"))).toEqual([]);
  });

  it("makes no file where there are no embeddings", async () => {
    const { workspace, vectors } = await open({ selection: "relevant" });
    await workspace.memories.save(all);
    await workspace.memories.remove(cat.id);
    await sources(workspace, question);
    await workspace.idle();
    expect(await exists(vectors)).toBe(false);
  });

  it("reads a broken file of vectors as none", async () => {
    const { workspace, vectors, embeddings, dir } = await open();
    await workspace.memories.save(all);
    await workspace.idle();
    for (const broken of ["{", "[1]", '{"CountingEmbeddings:meanings-1":{"x":7}}']) {
      await writeFile(vectors, broken);
      const again = await open({ dir });
      expect(await sources(again.workspace, question)).toContain(cat.id);
      await again.workspace.idle();
      expect(again.logger.all).toBe("");
    }
    expect(embeddings.documents.flat()).toHaveLength(all.length);
  });
});

describe("relevantTo over a LangGraph store", () => {
  it("keeps vectors in it, unread by turns that need none, and forgets them with the memories", async () => {
    const watched = new WatchedStore(new InMemoryStore());
    const store = new LangGraphMemoryStore(watched);
    const { workspace, embeddings } = await open({ store });
    await workspace.memories.save(all);
    await workspace.idle();
    const stored = async () => (await store.vectors.read("CountingEmbeddings:meanings-1")).size;
    expect(await stored()).toBe(all.length);
    const another = await open({ store: new LangGraphMemoryStore(watched) });
    expect(await sources(another.workspace, question)).toContain(cat.id);
    expect(another.embeddings.documents).toEqual([]);
    watched.taken();
    expect(await sources(another.workspace, `${question} Again?`)).toContain(cat.id);
    expect(watched.taken().filter(({ namespace }) => namespace.includes("vectors"))).toEqual([]);
    await workspace.memories.remove(cat.id);
    expect(await stored()).toBe(all.length - 1);
    await workspace.memories.clear();
    expect(await stored()).toBe(0);
    expect(embeddings.documents.flat()).toHaveLength(all.length);
  });
});

describe("embeddings that fail", () => {
  it("leave the words alone, with one warning, and a minute's peace; then they are asked again", async () => {
    const { workspace, embeddings, logger, clock } = await open();
    embeddings.before = async () => {
      throw new Error("secret of the provider");
    };
    await workspace.memories.save(all);
    await workspace.idle();
    const byNumber = all.find(({ content }) => content.includes("107"))?.id;
    expect(await sources(workspace, "house number 107?")).toContain(byNumber);
    expect(await sources(workspace, "house number 107, once more?")).toContain(byNumber);
    expect(embeddings.queries).toEqual([]);
    expect(logger.warnings).toHaveLength(1);
    expect(logger.all).toContain("by their words alone");
    expect(logger.all).not.toMatch(/secret|kitten|107/);
    clock.advance(60_000);
    embeddings.before = async () => {};
    expect(await sources(workspace, question)).toContain(cat.id);
    await workspace.idle();
    clock.advance(60_000);
    embeddings.before = async () => {
      throw new Error("again");
    };
    await sources(workspace, `${question} Really?`);
    expect(logger.warnings).toHaveLength(2);
  });

  it("that hang are not waited for", async () => {
    const embeddings = new CountingEmbeddings();
    const { workspace, logger } = await open(
      { selection: relevantTo(embeddings, { timeoutMs: 20 }) },
      embeddings,
    );
    embeddings.before = () => new Promise(() => {});
    await workspace.memories.save(all);
    const byNumber = all.find(({ content }) => content.includes("107"))?.id;
    expect(await sources(workspace, "house number 107?")).toContain(byNumber);
    expect(logger.warnings).toEqual([expect.stringContaining("ETIMEDOUT")]);
  });

  it.each([[[]], [[["x"]]], ["text"], [[[Number.NaN]]]])(
    "that give no vectors (%j) are such",
    async (given) => {
      const embeddings = { embedDocuments: async () => given as never, embedQuery: async () => [1, 0] };
      const { workspace, logger } = await open({ selection: relevantTo(embeddings) });
      await workspace.memories.save(all);
      await workspace.idle();
      expect((await sources(workspace, question)).length).toBeGreaterThan(5);
      expect(logger.warnings).toHaveLength(1);
    },
  );
});

describe("relevantTo without a workspace", () => {
  it("selects by itself, and embeds an unchanged list once", async () => {
    const embeddings = new CountingEmbeddings();
    const selection = relevantTo(embeddings);
    const options = { query: question, budgetBytes: 512, selection };
    expect(await selectMemories(all, options)).toContain(cat);
    expect(await selectMemories(all, options)).toContain(cat);
    expect(embeddings.documents).toHaveLength(1);
  });

  it.each([
    [{ timeoutMs: 0 }, "ERR_OPTION_RANGE"],
    [{ timeoutMs: "1" }, "ERR_OPTION_TYPE"],
    [{ name: "" }, "ERR_OPTION_RANGE"],
    [{ nmae: "x" }, "ERR_OPTION_UNKNOWN"],
  ])("refuses %j", (options, code) => {
    const make = () => relevantTo(new CountingEmbeddings(), options as object);
    expect(make).toThrow(expect.objectContaining({ code }));
  });
});
