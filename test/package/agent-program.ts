/** A tool with a schema of the app's own zod, state of its own, and our middleware, in one agent. */
export const agentProgram = `
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { createAgent, createMiddleware, tool } from "langchain";
import { MemoryWorkspace } from "langchain-cross-session-memory";
import { crossSessionMemoryMiddleware } from "langchain-cross-session-memory/middleware";
import { z } from "zod";

const model = new FakeListChatModel({ responses: ["It is 12 degrees."] });
const workspace = new MemoryWorkspace({ dir: "agent", model, locale: "en" });
const weather = tool(({ city }) => "12 degrees in " + city, {
  name: "weather",
  schema: z.object({ city: z.string() }),
});
const counting = createMiddleware({ name: "counting", stateSchema: z.object({ count: z.number().default(0) }) });
const agent = createAgent({
  model,
  tools: [],
  middleware: [counting, crossSessionMemoryMiddleware({ workspace })],
});
const { messages } = await agent.invoke(
  { messages: [{ role: "user", content: "How warm is it?" }] },
  { configurable: { thread_id: "one" } },
);
const { messages: waiting } = await workspace.waiting.count();
console.log(messages.at(-1)?.text, waiting + (weather.name === "weather" ? 1 : 0), "messages wait");
`;

export const agentProgramPrints = "It is 12 degrees. 3 messages wait\n";
