import { InMemoryStore } from "@langchain/langgraph";
import { createMiddleware } from "langchain";
import { appAgent, embeddings, lastQuestion, withLines } from "../app.mjs";
import { embeddingSize } from "../server.mjs";

const place = ["memories", "user"];

/** What one writes by hand: the five nearest go into the prompt, and what the user said is put there afterwards. */
export async function create({ baseURL, facts = [] }) {
  const index = { dims: embeddingSize, embeddings: embeddings(baseURL), fields: ["text"] };
  const store = new InMemoryStore({ index });
  let number = 0;
  await Promise.all(facts.map((text) => store.put(place, `fact-${number++}`, { text })));
  const remembering = createMiddleware({
    name: "Remembering",
    wrapModelCall: async (request, handler) => {
      const query = lastQuestion(request.messages);
      const found = await request.runtime.store.search(place, { query, limit: 5 });
      return withLines(
        request,
        handler,
        found.map(({ value }) => `- ${value.text}`),
      );
    },
    afterAgent: async ({ messages }, { store: runStore }) => {
      await runStore.put(place, `fact-${number++}`, { text: lastQuestion(messages).slice(0, 200) });
    },
  });
  const ask = appAgent(baseURL, { store, middleware: [remembering] });
  return { turn: ({ session, text, onToken }) => ask(text, session, onToken) };
}
