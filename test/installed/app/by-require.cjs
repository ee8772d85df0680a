/** The app as CommonJS. */
const app = {
  langchain: require("langchain"),
  langgraph: require("@langchain/langgraph"),
  messages: require("@langchain/core/messages"),
  middleware: require("langchain-cross-session-memory/middleware"),
  openai: require("@langchain/openai"),
  outputParsers: require("@langchain/core/output_parsers"),
  panel: require("langchain-cross-session-memory/panel"),
  prompts: require("@langchain/core/prompts"),
  root: require("langchain-cross-session-memory"),
  tools: require("langchain-cross-session-memory/tools"),
};

import("./uses.mjs").then(({ tryAll }) => tryAll(app));
