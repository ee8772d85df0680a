/** The app of the demo: a plain `ConversationChain`. All that makes it remember is its `memory`. */
import { ConversationChain } from "@langchain/classic/chains";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { CrossSessionMemory } from "langchain-cross-session-memory";

const prompt = ChatPromptTemplate.fromMessages([
  ["placeholder", "{history}"],
  ["human", "{input}"],
]);

/** A new session. */
export function openChat(llm, workspace) {
  const memory = new CrossSessionMemory({ workspace, returnMessages: true });
  return { memory, chain: new ConversationChain({ llm, prompt, memory }) };
}
