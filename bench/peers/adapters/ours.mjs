import { randomUUID } from "node:crypto";
import { appAgent, ownChatModel } from "../app.mjs";
import { load } from "../ours.mjs";

/** With a budget in bytes for memories; which of them are in the prompt goes by what is said. */
export async function create({ baseURL, dir, facts = [], memoryBudget = 8192, selection = "relevant" }) {
  const { MemoryWorkspace, crossSessionMemoryMiddleware } = await load();
  const model = ownChatModel(baseURL);
  const workspace = new MemoryWorkspace({ dir, locale: "en", model, memoryBudget, selection, limit: 300 });
  await workspace.memories.save(
    facts.map((content, at) => ({ id: randomUUID(), content, createdAt: at + 1, sourceScope: "global" })),
  );
  const ask = appAgent(baseURL, { middleware: [crossSessionMemoryMiddleware({ workspace })] });
  return {
    turn: ({ session, text, onToken }) => ask(text, session, onToken),
    idle: () => workspace.idle(),
    close: () => workspace.close(),
  };
}
