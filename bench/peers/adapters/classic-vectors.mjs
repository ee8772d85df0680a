import { VectorStoreRetrieverMemory } from "@langchain/classic/memory";
import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory";
import { createMiddleware } from "langchain";
import { appAgent, embeddings, lastQuestion, withLines } from "../app.mjs";

/** Every turn that was said, found again by its vector. */
export async function create({ baseURL, facts = [] }) {
  const vectors = new MemoryVectorStore(embeddings(baseURL));
  await vectors.addDocuments(facts.map((pageContent) => ({ pageContent, metadata: {} })));
  const memory = new VectorStoreRetrieverMemory({
    vectorStoreRetriever: vectors.asRetriever(5),
    memoryKey: "history",
    inputKey: "input",
  });
  const recalling = createMiddleware({
    name: "Recalling",
    wrapModelCall: async (request, handler) => {
      const input = lastQuestion(request.messages);
      return withLines(request, handler, [(await memory.loadMemoryVariables({ input })).history]);
    },
  });
  const ask = appAgent(baseURL, { middleware: [recalling] });
  return {
    async turn({ session, text, onToken }) {
      const answer = await ask(text, session, onToken);
      await memory.saveContext({ input: text }, { output: answer });
      return answer;
    },
  };
}
