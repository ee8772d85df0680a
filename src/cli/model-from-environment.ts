import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ChatModel } from "../memory/extraction/chat-model.js";
import { CliFault } from "./cli-fault.js";
import type { CommandParts } from "./command-context.js";

/** Not written into the import: whoever doesn't extract needs no such package, and no bundler may look for it. */
const packageName = "@langchain/openai";

interface OpenAIPackage {
  readonly ChatOpenAI: new (options: object) => ChatModel;
}

/** A model of any server that speaks OpenAI's protocol, by the variables that its other clients know. */
export async function modelFromEnvironment({ host, texts }: CommandParts): Promise<ChatModel> {
  const { OPENAI_API_KEY: apiKey, OPENAI_MODEL: model, OPENAI_BASE_URL: baseURL } = host.env;
  if (!apiKey || !model) throw new CliFault("ERR_NO_MODEL", texts.noModel);
  const { ChatOpenAI } = await loadPackage(host.cwd()).catch(() => {
    throw new CliFault("ERR_NO_MODEL", texts.noModelPackage);
  });
  return new ChatOpenAI({ apiKey, model, maxRetries: 2, ...(baseURL && { configuration: { baseURL } }) });
}

/** The app's own copy, from where the command was called; else one that lies beside this package. */
async function loadPackage(folder: string): Promise<OpenAIPackage> {
  try {
    const path = createRequire(join(folder, "package.json")).resolve(packageName);
    return (await import(pathToFileURL(path).href)) as OpenAIPackage;
  } catch {
    // There is none there: the next place says whether there is any.
    return (await import(packageName)) as OpenAIPackage;
  }
}
