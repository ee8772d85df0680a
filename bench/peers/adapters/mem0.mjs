import { join } from "node:path";
import { createMiddleware } from "langchain";
import { appAgent, lastQuestion, withLines } from "../app.mjs";
import { importMem0 } from "../mem0.mjs";
import { embeddingSize, ownModel } from "../server.mjs";

/** Searches before the model is asked; afterwards the turn is added, which one may wait for or not. */
export async function create({ baseURL, dir, facts = [], isAwaited = true }) {
  const memory = await openMem0({ baseURL, dir });
  await Promise.all(facts.map((fact) => memory.add(fact, { userId: "user", infer: false })));
  const recalling = createMiddleware({
    name: "Recalling",
    wrapModelCall: async (request, handler) => {
      const query = lastQuestion(request.messages);
      const { results } = await memory.search(query, { topK: 5, filters: { user_id: "user" } });
      return withLines(
        request,
        handler,
        results.map((result) => `- ${result.memory}`),
      );
    },
  });
  const ask = appAgent(baseURL, { middleware: [recalling] });
  let adding = Promise.resolve();
  return {
    async turn({ session, text, onToken }) {
      const content = await ask(text, session, onToken);
      const turn = [
        { role: "user", content: text },
        { role: "assistant", content },
      ];
      const added = memory.add(turn, { userId: "user" });
      if (isAwaited) await added;
      else adding = Promise.allSettled([adding, added]);
      return content;
    },
    idle: () => adding,
  };
}

export async function openMem0({ baseURL, dir }) {
  const { Memory } = await importMem0();
  const access = { apiKey: "none", baseURL };
  return new Memory({
    llm: { provider: "openai", config: { ...access, model: ownModel } },
    embedder: {
      provider: "openai",
      config: { ...access, model: "text-embedding-3-small", embeddingDims: embeddingSize },
    },
    vectorStore: {
      provider: "memory",
      config: { collectionName: "peers", dimension: embeddingSize, dbPath: join(dir, "vectors.db") },
    },
    historyStore: { provider: "sqlite", config: { historyDbPath: join(dir, "history.db") } },
  });
}
