/**
 * The model of every example. With `OPENAI_API_KEY` (and `OPENAI_BASE_URL`, `OPENAI_MODEL`) it is a real one; without, it
 * is the stand-in of `stand-in-model/`, reached through the same real `ChatOpenAI`.
 */
import { ChatOpenAI } from "@langchain/openai";
import { modelName, startStandInModel } from "./stand-in-model/server.mjs";

const standInName = `${modelName}, no real language model (set OPENAI_API_KEY for one)`;

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
  return { model: create(), create, name: standInName, standIn: true, close: server.close };
}

/**
 * The same for code that makes its own model from the environment, as an app's does: where no key is set, the environment
 * names the stand-in. Gives `name` and `close()`.
 */
export async function openEnvironment(standInOptions = {}) {
  const { OPENAI_API_KEY: apiKey, OPENAI_MODEL: model } = process.env;
  if (apiKey) return { name: model || "gpt-4.1-mini", close: async () => {} };
  const server = await startStandInModel(standInOptions);
  Object.assign(process.env, {
    OPENAI_API_KEY: "no-key-needed",
    OPENAI_BASE_URL: server.baseURL,
    OPENAI_MODEL: modelName,
  });
  return { name: standInName, close: server.close };
}
