import type { ChatOpenAI } from "@langchain/openai";
import { expect, onTestFinished } from "vitest";
import { MemoryWorkspace, type WorkspaceOptions } from "../../src/index.js";
import { CollectingLogger } from "../support/collecting-logger.js";
import {
  type Completion,
  type CompletionRequest,
  type ServerReply,
  sendStatus,
  startModelServer,
} from "../support/model-server.js";
import { refusalOf } from "../support/strict-templates.js";
import { temporaryFolder } from "../support/temporary-folder.js";

export interface AgentWorldOptions {
  /** What the agent's model says. @default `R17` to the user's last `M17` */
  readonly chat?: (request: CompletionRequest, index: number) => ServerReply;
  /** What it says as the extractor. @default no facts */
  readonly extraction?: (request: CompletionRequest) => ServerReply;
  /** Options of the agent's model. */
  readonly model?: object;
  /** Options of the workspace. */
  readonly workspace?: WorkspaceOptions;
  /** Every reply has the same id. */
  readonly sameId?: boolean;
  /** The test's own messages break the rules of strict providers (two of the user's in a row after a failed turn). */
  readonly lenient?: boolean;
}

export interface AgentWorld {
  readonly dir: string;
  readonly model: ChatOpenAI;
  /** Has no model of its own: the agent's extracts. */
  readonly workspace: MemoryWorkspace;
  readonly logger: CollectingLogger;
  readonly chats: readonly CompletionRequest[];
  readonly extractions: readonly CompletionRequest[];
  /** The agent's system message, by chat request. */
  prompts(): string[];
  /** Distils what waits, then gives how often each mark (`M17`, `R17`) was sent to the extractor. */
  marksSent(): Promise<Record<string, number>>;
}

/** A real server, the real client, and a workspace in a fresh folder. Every request must pass the strictest templates. */
export async function agentWorld(options: AgentWorldOptions = {}): Promise<AgentWorld> {
  const {
    chat = answerMark,
    extraction = () => '{"memories":[]}',
    sameId = false,
    lenient = false,
  } = options;
  const chats: CompletionRequest[] = [];
  const extractions: CompletionRequest[] = [];
  const refusals: string[] = [];
  const server = await startModelServer((request, index) => {
    const refusal = refusalOf(request);
    if (refusal !== undefined && !lenient) {
      refusals.push(refusal);
      return sendStatus(400, refusal);
    }
    if (isExtraction(request)) {
      extractions.push(request);
      return extraction(request);
    }
    chats.push(request);
    const reply = chat(request, chats.length - 1);
    if (typeof reply === "function") return reply;
    const completion: Completion = typeof reply === "string" ? { content: reply } : reply;
    return { id: sameId ? "chatcmpl-same" : `chatcmpl-${index}`, ...completion };
  });
  onTestFinished(() => expect(refusals).toEqual([]));
  const dir = await temporaryFolder();
  const logger = new CollectingLogger();
  const workspace = new MemoryWorkspace({ dir, logger, ...options.workspace });
  onTestFinished(() => workspace.close());
  return {
    dir,
    model: server.model(options.model),
    workspace,
    logger,
    chats,
    extractions,
    prompts: () => chats.map(systemOf),
    async marksSent() {
      await workspace.idle();
      const { failure } = await workspace.extractNow();
      expect(failure).toBeUndefined();
      return marksIn(extractions);
    },
  };
}

function isExtraction({ messages }: CompletionRequest): boolean {
  return messages.length === 2 && textOf(messages[1]?.content).includes("【新对话】");
}

/** How often each mark stands in the conversations that were sent to the extractor. */
export function marksIn(extractions: readonly CompletionRequest[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { messages } of extractions) {
    const conversation = textOf(messages[1]?.content).split("【新对话】")[1] ?? "";
    for (const [mark] of conversation.matchAll(/\b[MR]\d+[a-z]*\b/g)) counts[mark] = (counts[mark] ?? 0) + 1;
  }
  return counts;
}

/** Each of these marks once, and nothing else. */
export function once(...marks: string[]): Record<string, number> {
  return Object.fromEntries(marks.map((mark) => [mark, 1]));
}

/** `M1`, `R1`, `M2`, `R2`, … */
export function turns(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => [`M${from + at}`, `R${from + at}`]).flat();
}

export function systemOf({ messages }: CompletionRequest): string {
  const [first] = messages;
  return first?.role === "system" || first?.role === "developer" ? textOf(first.content) : "";
}

export function lastUserText({ messages }: CompletionRequest): string {
  return textOf(messages.findLast(({ role }) => role === "user")?.content);
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content)
    ? content.map((block) => (block as { text?: string }).text ?? "").join("")
    : "";
}

/** `R17` to a user whose last mark is `M17`. */
export function answerMark(request: CompletionRequest): string {
  return `R${markOf(request)} is my answer.`;
}

export function markOf(request: CompletionRequest): string {
  return /M(\d+)(?![\s\S]*M\d)/.exec(lastUserText(request))?.[1] ?? "0";
}

/** Whether the model is asked for the first time since the user spoke: no tool has answered yet. */
export function isFirstCall({ messages }: CompletionRequest): boolean {
  return messages.at(-1)?.role === "user";
}
