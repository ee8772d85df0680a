import { InMemoryStore } from "@langchain/langgraph";
import { LangGraphMemoryStore } from "../../src/memory/langgraph-memory-store.js";
import { describeMemoryStore } from "../store/store-contract.js";

describeMemoryStore("LangGraphMemoryStore over InMemoryStore", async () => {
  const base = new InMemoryStore();
  return { open: () => new LangGraphMemoryStore(base) };
});
