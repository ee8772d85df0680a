import { selectMemories } from "../../dist/index.mjs";
import { lineBytes } from "./facts.mjs";
import { PlainBm25 } from "./plain-bm25.mjs";

/** Ways to choose: each gets a store, a question and a budget in bytes, and gives memories. */
export const selectors = {
  newest: ({ memories }, { query }, budgetBytes) =>
    selectMemories(memories, { query, budgetBytes, selection: "newest" }),
  random: ({ memories }, { query }, budgetBytes) => fill(shuffled(memories, query.length), budgetBytes),
  "plain BM25": (store, { query }, budgetBytes) => fill(bm25Of(store.memories).ranked(query), budgetBytes),
  relevant: ({ memories }, { query }, budgetBytes) =>
    selectMemories(memories, { query, budgetBytes, selection: "relevant" }),
  /** Knows the answer: the best that any selection can do. */
  oracle: ({ memories }, { evidence }, budgetBytes) =>
    fill(
      memories.filter((memory) => memory.evidence.some((piece) => evidence.includes(piece))).reverse(),
      budgetBytes,
    ),
};

const indexes = new WeakMap();

function bm25Of(memories) {
  const known = indexes.get(memories) ?? new PlainBm25(memories);
  indexes.set(memories, known);
  return known;
}

function fill(ordered, budgetBytes) {
  let left = budgetBytes;
  return ordered.filter((memory) => {
    const fits = lineBytes(memory) <= left;
    if (fits) left -= lineBytes(memory);
    return fits;
  });
}

/** The same for the same seed. */
function shuffled(memories, seed) {
  let state = seed * 7919 + memories.length;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    return state / 0x7f_ff_ff_ff;
  };
  return memories
    .map((memory) => ({ memory, key: random() }))
    .sort((left, right) => left.key - right.key)
    .map(({ memory }) => memory);
}
