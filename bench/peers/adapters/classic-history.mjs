import "../token-ranks.mjs";
import { BufferMemory, ConversationSummaryBufferMemory } from "@langchain/classic/memory";
import { appAgent, ownChatModel } from "../app.mjs";

/** One memory for the user, over all sessions: it holds the conversation, in place of the checkpointer. */
export function create({ baseURL, condensed = false }) {
  const memory = condensed
    ? new ConversationSummaryBufferMemory({
        llm: ownChatModel(baseURL),
        maxTokenLimit: 1500,
        returnMessages: true,
      })
    : new BufferMemory({ returnMessages: true });
  const ask = appAgent(baseURL, { checkpointer: undefined });
  return {
    async turn({ text, session, onToken }) {
      const { history } = await memory.loadMemoryVariables({ input: text });
      const answer = await ask([...history, { role: "user", content: text }], session, onToken);
      await memory.saveContext({ input: text }, { output: answer });
      return answer;
    },
  };
}
