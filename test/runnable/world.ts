import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChatOpenAI } from "@langchain/openai";
import { MemoryWorkspace, type WorkspaceOptions } from "../../src/index.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import {
  type CompletionRequest,
  type ModelServer,
  type ServerReply,
  startModelServer,
} from "../support/model-server.js";
import { ScriptedModel, type ScriptedReply } from "../support/scripted-model.js";
import { temporaryFolder } from "../support/temporary-folder.js";

export interface World {
  readonly dir: string;
  readonly workspace: MemoryWorkspace;
  readonly logger: CollectingLogger;
  /** What the app talks to. */
  readonly server: ModelServer;
  readonly model: ChatOpenAI;
  /** What extracts. */
  readonly extractor: ScriptedModel;
  /** What was said and waits to be learned, of all sessions (or of one), oldest first. */
  waiting(session?: string): Promise<string[]>;
  /** The texts that the app's model was sent with request `index` (default: the last), as `role: text`. */
  sent(index?: number): string[];
}

export interface WorldOptions extends WorkspaceOptions {
  readonly reply?: (request: CompletionRequest, index: number) => ServerReply;
  readonly extraction?: readonly ScriptedReply[];
  readonly rule?: string;
}

/** A workspace with one rule, a chat model behind a real server, and a model that extracts. */
export async function makeWorld({
  reply = (_request, index) => `answer ${index + 1}`,
  extraction = ["[]"],
  rule = "Answer briefly.",
  ...options
}: WorldOptions = {}): Promise<World> {
  const dir = options.dir ?? (await temporaryFolder());
  if (rule !== "") {
    await mkdir(join(dir, "rules"), { recursive: true });
    await writeFile(join(dir, "rules", "style.md"), rule);
  }
  const logger = new CollectingLogger();
  const server = await startModelServer(reply);
  const extractor = new ScriptedModel(...extraction);
  const workspace = new MemoryWorkspace({ model: extractor, logger, locale: "en", ...options, dir });
  return {
    dir,
    workspace,
    logger,
    server,
    extractor,
    model: server.model(),
    waiting: (session) => waitingIn(dir, session),
    sent: (index = server.requests.length - 1) =>
      (server.requests[index]?.messages ?? []).map(({ role, content }) => `${role}: ${textOf(content)}`),
  };
}

export async function waitingIn(dir: string, session?: string): Promise<string[]> {
  const text = await readFile(join(dir, "memory", "waiting.jsonl"), "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { session: string; role: string; text: string })
    .filter((entry) => session === undefined || entry.session === session)
    .map(({ role, text }) => `${role}: ${text}`);
}

/** What the rule of {@link makeWorld} looks like in a prompt. */
export const ruleText =
  "# User rules (constraints and preferences set by the user)\n\n## style\nAnswer briefly.";

export const session = (thread_id: unknown, more: object = {}) => ({ configurable: { thread_id, ...more } });

function textOf(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}
