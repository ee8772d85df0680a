import { textOfContent } from "../../messages/chat-message.js";
import { loadSchemas } from "../schemas.js";
import { type ChatModel, isCutOff, notStreaming } from "./chat-model.js";
import {
  contentFailure,
  type ExtractionFailure,
  failureOf,
  isUnparsable,
  lostTextOf,
  refusesStructure,
  statusOf,
} from "./failure.js";
import { type Invocable, ModelAttempt } from "./model-attempt.js";
import { type LearnedFact, readReply } from "./reply.js";
import type { ExtractionRequest } from "./request.js";

export interface ModelReply {
  readonly requests: number;
  readonly facts?: readonly LearnedFact[] | undefined;
  readonly failure?: ExtractionFailure | undefined;
}

export interface ModelCallOptions {
  /** For the whole attempt, with a second request where it needs one. */
  readonly timeoutMs: number;
  readonly structuredOutput: "auto" | "off";
}

/**
 * Asks a model, by structured output where it has it. A model that was found to have none is asked in plain JSON from
 * then on.
 */
export class ExtractionModelCall {
  readonly #options: ModelCallOptions;
  readonly #plainOnly = new WeakSet<ChatModel>();

  constructor(options: ModelCallOptions) {
    this.#options = options;
  }

  /** One attempt: at most two requests, and never a rejection. */
  async ask(model: ChatModel, request: ExtractionRequest): Promise<ModelReply> {
    const attempt = new ModelAttempt(request, this.#options.timeoutMs);
    try {
      const facts = await this.#ask(notStreaming(model), model, attempt);
      return facts === undefined
        ? { requests: attempt.requests, failure: contentFailure(attempt.wasCut ? "cut off" : "not JSON") }
        : { requests: attempt.requests, facts };
    } catch (error) {
      return { requests: attempt.requests, failure: failureOf(error) };
    } finally {
      attempt.end();
    }
  }

  async #ask(
    model: ChatModel,
    original: ChatModel,
    attempt: ModelAttempt,
  ): Promise<LearnedFact[] | undefined> {
    const isPlain = this.#options.structuredOutput === "off" || this.#plainOnly.has(original);
    if (isPlain || typeof model.withStructuredOutput !== "function") return readPlain(model, attempt);

    const structured = await this.#structured(model);
    if (structured === undefined) {
      this.#plainOnly.add(original);
      return readPlain(model, attempt);
    }
    try {
      return readStructured(await attempt.invoke(structured), attempt);
    } catch (error) {
      const text = lostTextOf(error);
      if (text !== undefined) return readReply(text);
      const saysSo = refusesStructure(error) || isUnparsable(error);
      if (!saysSo && statusOf(error) !== 400) throw error;
      if (saysSo) this.#plainOnly.add(original);
      const facts = await readPlain(model, attempt);
      // A 400 may have been for the schema or for the text; that plain JSON went through tells which.
      this.#plainOnly.add(original);
      return facts;
    }
  }

  async #structured(model: ChatModel): Promise<Invocable | undefined> {
    const { extractionReply } = await loadSchemas();
    try {
      return model.withStructuredOutput?.(extractionReply, {
        name: "memories",
        includeRaw: true,
      }) as Invocable;
    } catch {
      return undefined; // It says at once that it has none.
    }
  }
}

async function readPlain(model: Invocable, attempt: ModelAttempt): Promise<LearnedFact[] | undefined> {
  return readMessageReply(await attempt.invoke(model), attempt);
}

/** With `includeRaw` a reply is `{ raw, parsed }`; some models give what was parsed alone. */
function readStructured(reply: unknown, attempt: ModelAttempt): LearnedFact[] | undefined {
  if (typeof reply !== "object" || reply === null || !("raw" in reply)) return readReply(reply);
  const { raw, parsed } = reply as { raw: unknown; parsed?: unknown };
  if (isCutOff(raw)) attempt.wasCut = true;
  return (parsed == null ? undefined : readReply(parsed)) ?? readMessageReply(raw, attempt);
}

function readMessageReply(message: unknown, attempt: ModelAttempt): LearnedFact[] | undefined {
  if (typeof message === "string") return readReply(message);
  if (isCutOff(message)) attempt.wasCut = true;
  const { content, tool_calls: calls } = (message ?? {}) as { content?: unknown; tool_calls?: unknown };
  const text = textOfContent(content);
  const facts = readReply(text);
  if (facts !== undefined || !Array.isArray(calls)) return facts;
  const [call] = calls as { args?: unknown }[];
  return readReply(call?.args);
}
