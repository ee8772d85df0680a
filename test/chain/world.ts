import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ConversationChain } from "@langchain/classic/chains";
import {
  CrossSessionMemory,
  type CrossSessionMemoryOptions,
  MemoryWorkspace,
  type WorkspaceOptions,
} from "../../src/index.js";
import { FixedClock } from "../support/clock.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import {
  type CompletionRequest,
  type ServerReply,
  sendStatus,
  startModelServer,
} from "../support/model-server.js";
import { temporaryFolder } from "../support/temporary-folder.js";

export interface ChainWorldOptions extends WorkspaceOptions {
  readonly reply?: (request: CompletionRequest, index: number) => ServerReply;
}

/** A folder, a model server that is as strict as the strictest, and chains whose memory is a real one. */
export async function chainWorld({ reply = () => "fine", ...options }: ChainWorldOptions = {}) {
  const dir = await temporaryFolder();
  const logger = new CollectingLogger();
  const clock = new FixedClock();
  const server = await startModelServer((request, index) => {
    const fault = faultOf(request);
    return fault === undefined ? reply(request, index) : sendStatus(400, fault);
  });
  const model = server.model();
  /** Opened anew, a workspace is what a restarted process has. */
  const openWorkspace = (more: WorkspaceOptions = {}) =>
    new MemoryWorkspace({ dir, model, locale: "en", logger, ...options, ...more }, clock);
  const workspace = openWorkspace();
  const memoryOf = (more: CrossSessionMemoryOptions = {}) => new CrossSessionMemory({ workspace, ...more });
  return {
    dir,
    logger,
    clock,
    server,
    model,
    workspace,
    openWorkspace,
    memoryOf,
    chainOf: (memory: CrossSessionMemory) => new ConversationChain({ llm: model, memory }),
    /** Writes a file below the folder. */
    write: async (name: string, text: string) => {
      await mkdir(dirname(join(dir, name)), { recursive: true });
      await writeFile(join(dir, name), text);
    },
    read: (name: string) => readFile(join(dir, name), "utf8"),
    /** The whole prompt of a request, as the model got it. */
    promptOf: (index: number) => promptOf(server.requests.at(index)),
  };
}

function promptOf(request: CompletionRequest | undefined): string {
  return (request?.messages ?? []).map(({ content }) => String(content)).join("\n");
}

/** Why a strict provider refuses a request. */
function faultOf({ messages }: CompletionRequest): string | undefined {
  const roles = messages.map(({ role }) => role);
  const conversation = roles[0] === "system" ? roles.slice(1) : roles;
  if (conversation.includes("system")) return "a second system message, or one that is not first";
  if (!conversation.includes("user")) return "no user message";
  if (conversation[0] !== "user") return "the conversation does not begin with the user";
  if (conversation.at(-1) === "assistant") return "an assistant message last";
  if (conversation.some((role, index) => role === "user" && conversation[index - 1] === "user")) {
    return "two user messages in a row";
  }
  if (
    messages.some(
      ({ role, content, tool_calls: calls }: { role: string; content: unknown; tool_calls?: unknown }) =>
        role !== "tool" && calls === undefined && (content === "" || content === null),
    )
  ) {
    return "an empty message";
  }
  return undefined;
}

/** The requests that ask for a summary. */
export function isSummaryRequest({ messages }: CompletionRequest): boolean {
  return messages[0]?.content.startsWith("Your task is to condense") === true;
}

/** The requests that ask for facts. */
export function isExtractionRequest({ messages }: CompletionRequest): boolean {
  return messages[0]?.content.startsWith("Your task is to pick out") === true;
}
