import { existsSync } from "node:fs";
import { hasMem0 } from "./mem0.mjs";

/**
 * Everyone who is measured: the file in `adapters/`, what it is made with, and what it is. `learns`: facts of the user go into
 * later sessions by themselves, distilled by a model. `lasts`: something of one session reaches the next. `knows`: it is given
 * the facts before the first turn.
 */
export const contenders = [
  { id: "bare", adapter: "bare", name: "bare agent" },
  { id: "ours", adapter: "ours", name: "ours, 8 KB", learns: true, lasts: true, knows: true },
  {
    id: "ours-4",
    adapter: "ours",
    options: { memoryBudget: 4096 },
    isUntimed: true,
    name: "ours, 4 KB",
    learns: true,
    lasts: true,
    knows: true,
  },
  {
    id: "ours-2",
    adapter: "ours",
    options: { memoryBudget: 2048 },
    isUntimed: true,
    name: "ours, 2 KB",
    learns: true,
    lasts: true,
    knows: true,
  },
  {
    id: "ours-rules",
    adapter: "ours-with-rules",
    name: "ours, 8 KB, 10 rules and 10 skills",
    learns: true,
    lasts: true,
    knows: true,
  },
  {
    id: "deepagents",
    adapter: "deepagents",
    name: "deepagents, with the same rules and skills",
    lasts: true,
    knows: true,
  },
  {
    id: "mem0",
    adapter: "mem0",
    name: "mem0, `add` awaited",
    learns: true,
    lasts: true,
    knows: true,
    isOptional: true,
  },
  {
    id: "mem0-behind",
    adapter: "mem0",
    options: { isAwaited: false },
    name: "mem0, `add` not awaited",
    learns: true,
    lasts: true,
    knows: true,
    isOptional: true,
  },
  { id: "summarization", adapter: "summarization", name: "`summarizationMiddleware`, a thread a session" },
  {
    id: "summarization-one",
    adapter: "summarization",
    options: { inOneThread: true },
    name: "`summarizationMiddleware`, one thread for all",
    lasts: true,
  },
  { id: "buffer", adapter: "classic-history", name: "`BufferMemory`", lasts: true },
  {
    id: "summary-buffer",
    adapter: "classic-history",
    options: { condensed: true },
    name: "`ConversationSummaryBufferMemory`",
    lasts: true,
  },
  {
    id: "vectors",
    adapter: "classic-vectors",
    name: "`VectorStoreRetrieverMemory`",
    lasts: true,
    knows: true,
  },
  {
    id: "store",
    adapter: "langgraph-store",
    name: "LangGraph store, by hand, with an index",
    lasts: true,
    knows: true,
  },
];

/** Those that are installed: beside the bare agent and ours the others need `npm ci --prefix bench/peers`. */
export function installedContenders(only) {
  const hasPeers = existsSync(new URL("node_modules/deepagents", import.meta.url));
  return contenders
    .filter(({ adapter }) => hasPeers || adapter !== "deepagents")
    .filter(({ isOptional }) => !isOptional || hasMem0())
    .filter(({ id }) => only === undefined || id === "bare" || only.includes(id));
}
