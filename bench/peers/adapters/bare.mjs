import { appAgent } from "../app.mjs";

export function create({ baseURL }) {
  const ask = appAgent(baseURL);
  return { turn: ({ session, text, onToken }) => ask(text, session, onToken) };
}
