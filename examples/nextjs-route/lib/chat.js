/** The app's one agent and its one workspace, made when the first route needs them. */
import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { MemoryWorkspace } from "langchain-cross-session-memory";
import { crossSessionMemoryMiddleware } from "langchain-cross-session-memory/middleware";

// It takes OPENAI_API_KEY and OPENAI_BASE_URL from the environment.
const model = new ChatOpenAI({ model: process.env.OPENAI_MODEL ?? "gpt-4.1-mini" });

export const workspace = new MemoryWorkspace({ dir: process.env.AI_DIR ?? "./ai", model, locale: "en" });

export const agent = createAgent({
  model,
  checkpointer: new MemorySaver(), // PostgresSaver where threads shall outlive the process.
  middleware: [
    crossSessionMemoryMiddleware({ workspace, userId: ({ configurable }) => configurable.user_id }),
  ],
});
