import { summarizationMiddleware } from "langchain";
import { appAgent, ownChatModel } from "../app.mjs";

/** Its summary is of one thread: for a memory that lasts, all sessions go into one. */
export function create({ baseURL, inOneThread = false }) {
  const trigger = { tokens: inOneThread ? 4000 : 1500 };
  const keep = { messages: inOneThread ? 20 : 4 };
  const ask = appAgent(baseURL, {
    middleware: [summarizationMiddleware({ model: ownChatModel(baseURL), trigger, keep })],
  });
  return { turn: ({ session, text, onToken }) => ask(text, inOneThread ? "all" : session, onToken) };
}
