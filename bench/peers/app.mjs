import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import { createAgent } from "langchain";
import { appModel, ownModel } from "./server.mjs";

/** The app that everyone is put into: the same model, prompt and checkpointer. */
export function appAgent(baseURL, options = {}) {
  const agent = createAgent({
    model: chatModel(baseURL, appModel),
    tools: [],
    systemPrompt: "You are a helpful assistant.",
    checkpointer: new MemorySaver(),
    ...options,
  });
  return async (messages, thread_id, onToken) => {
    const input = {
      messages: typeof messages === "string" ? [{ role: "user", content: messages }] : messages,
    };
    const config = { configurable: { thread_id } };
    if (onToken === undefined) return (await agent.invoke(input, config)).messages.at(-1).text;
    let answer = "";
    for await (const [chunk, { langgraph_node }] of await agent.stream(input, {
      ...config,
      streamMode: "messages",
    })) {
      // Only what the app's model says: a summary that is written in between is no answer.
      if (langgraph_node !== "model_request" || chunk.text === "") continue;
      answer += chunk.text;
      onToken();
    }
    return answer;
  };
}

const chatModel = (baseURL, model) =>
  new ChatOpenAI({ model, apiKey: "none", maxRetries: 0, configuration: { baseURL } });

/** What a memory asks for itself. */
export const ownChatModel = (baseURL) => chatModel(baseURL, ownModel);

export const embeddings = (baseURL) =>
  new OpenAIEmbeddings({
    model: "text-embedding-3-small",
    apiKey: "none",
    maxRetries: 0,
    configuration: { baseURL },
  });

export const lastQuestion = (messages) => messages.findLast((message) => message.getType() === "human").text;

/** A middleware's wrapModelCall that puts lines below the system prompt. */
export const withLines = (request, handler, lines) =>
  handler({
    ...request,
    systemMessage: request.systemMessage.concat(`\nWhat is known of the user:\n${lines.join("\n")}`),
  });
