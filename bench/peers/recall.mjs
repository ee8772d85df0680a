import { randomUUID } from "node:crypto";
import { InMemoryStore } from "@langchain/langgraph";
import { inTemporaryFolder } from "../world.mjs";
import { embeddings } from "./app.mjs";
import { facts, otherFacts, questions } from "./facts.mjs";
import { oursPath } from "./ours.mjs";
import { embeddingSize } from "./server.mjs";

const budgets = [8192, 4096, 2048];

/**
 * Of the questions, how many have a fact that answers them among what fits so many bytes. There is no embedding model here: those
 * that search by vectors get vectors of words, so their share is what this finds, and not what a provider's would.
 */
export async function measureRecall({ server, contenders, isQuick }) {
  const known = isQuick ? facts : mixed([...facts, ...otherFacts]);
  const asked = isQuick ? questions.slice(0, 3) : questions;
  const baseURL = server.addressOf("recall");
  await server.configure({ embeddingDelayMs: 0 });
  const isThere = (id) => contenders.some((contender) => contender.id === id);
  const rows = {};
  for (const selection of ["relevant", "newest"]) rows[selection] = await ours(known, asked, selection);
  if (isThere("store")) rows.store = await shares(asked, await byVectors(known, baseURL));
  if (isThere("mem0"))
    rows.mem0 = await inTemporaryFolder(async (dir) => shares(asked, await byMem0(known, dir, baseURL)));
  return { facts: known.length, questions: asked.length, budgets, rows };
}

async function ours(known, asked, selection) {
  const { MemoryWorkspace } = await import(oursPath("index.mjs"));
  const shareOf = (memoryBudget) =>
    inTemporaryFolder(async (dir) => {
      const workspace = new MemoryWorkspace({ dir, locale: "en", limit: 1000, memoryBudget, selection });
      const items = known.map((content, at) => ({
        id: randomUUID(),
        content,
        createdAt: at + 1,
        sourceScope: "global",
      }));
      await workspace.memories.save(items);
      let found = 0;
      for (const [at, { query, answers }] of asked.entries()) {
        const { text } = await workspace.assembleContext({ query, sessionId: `session-${at}` });
        if (Buffer.byteLength(text) > memoryBudget) throw new Error("over the budget");
        if (answers.some((fact) => text.includes(fact))) found++;
      }
      await workspace.close();
      return found / asked.length;
    });
  const found = [];
  for (const budget of budgets) found.push(await shareOf(budget));
  return found;
}

/** `search(query)` gives facts, the best first. */
async function shares(asked, search) {
  const found = budgets.map(() => 0);
  for (const { query, answers } of asked) {
    const ranked = await search(query);
    for (const [at, budget] of budgets.entries()) {
      if (firstThatFit(ranked, budget).some((fact) => answers.includes(fact))) found[at]++;
    }
  }
  return found.map((count) => count / asked.length);
}

function firstThatFit(ranked, budget) {
  let bytes = 0;
  return ranked.filter((fact) => {
    const size = Buffer.byteLength(`- ${fact}\n`);
    if (bytes + size > budget) return false;
    bytes += size;
    return true;
  });
}

async function byVectors(known, baseURL) {
  const index = { dims: embeddingSize, embeddings: embeddings(baseURL), fields: ["text"] };
  const store = new InMemoryStore({ index });
  const place = ["memories"];
  await Promise.all(known.map((text, at) => store.put(place, `fact-${at}`, { text })));
  return async (query) =>
    (await store.search(place, { query, limit: known.length })).map(({ value }) => value.text);
}

async function byMem0(known, dir, baseURL) {
  const { openMem0 } = await import("./adapters/mem0.mjs");
  const memory = await openMem0({ baseURL, dir });
  for (const fact of known) await memory.add(fact, { userId: "user", infer: false });
  return async (query) => {
    const filters = { user_id: "user" };
    const { results } = await memory.search(query, { topK: known.length, threshold: 0, filters });
    return results.map((result) => result.memory);
  };
}

/** All of them in an order that is the same each time and has nothing to do with which of them are asked for. */
function mixed(list) {
  const step = 197;
  if (list.length % step === 0) throw new Error("some would be left out");
  return list.map((_, at) => list[(at * step) % list.length]);
}
