/** The app as an ES module. */
import * as messages from "@langchain/core/messages";
import * as outputParsers from "@langchain/core/output_parsers";
import * as prompts from "@langchain/core/prompts";
import * as langgraph from "@langchain/langgraph";
import * as openai from "@langchain/openai";
import * as langchain from "langchain";
import * as root from "langchain-cross-session-memory";
import * as middleware from "langchain-cross-session-memory/middleware";
import * as panel from "langchain-cross-session-memory/panel";
import * as tools from "langchain-cross-session-memory/tools";
import { tryAll } from "./uses.mjs";

await tryAll({
  langchain,
  langgraph,
  messages,
  middleware,
  openai,
  outputParsers,
  panel,
  prompts,
  root,
  tools,
});
