/**
 * The model of every example. With `OPENAI_API_KEY` (and `OPENAI_BASE_URL`, `OPENAI_MODEL`) it is a real one; without, it
 * is the stand-in of `stand-in-model/`, reached through the same real `ChatOpenAI`.
 */
import { ChatOpenAI } from "@langchain/openai";
import { modelName, startStandInModel } from "./stand-in-model/server.mjs";

/**
 * Gives `model`; `create(fields)` for a further one with the same connection; `name`, which says it where it is no real
 * model; `standIn`, whether it is none; `close()`, which ends the stand-in. The options are the stand-in's. (`streaming: true` stays away: with it,
 * `invoke` counts tokens with ranks that it first downloads.)
 */
export async function openModel(standInOptions = {}) {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, OPENAI_MODEL: model } = process.env;
  if (apiKey) {
    const name = model || "gpt-4.1-mini";
    const configuration = baseURL ? { baseURL } : {};
    const create = (fields) =>
      new ChatOpenAI({ model: name, apiKey, configuration, maxRetries: 2, ...fields });
    return { model: create(), create, name, standIn: false, close: async () => {} };
  }
  const server = await startStandInModel(standInOptions);
  const connection = { apiKey: "no-key-needed", configuration: { baseURL: server.baseURL }, maxRetries: 0 };
  const create = (fields) => new ChatOpenAI({ model: modelName, ...connection, ...fields });
  const name = `${modelName}, no real language model (set OPENAI_API_KEY for one)`;
  return { model: create(), create, name, standIn: true, close: server.close };
}
