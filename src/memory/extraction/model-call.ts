import { textOfContent } from "../../messages/chat-message.js";
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
import { consolidatingReply, extractionReply } from "./reply-schema.js";
import type { ExtractionRequest } from "./request.js";

export type ModelReply = { readonly requests: number } & (
  | { readonly facts: readonly LearnedFact[]; readonly failure?: undefined }
  | { readonly facts?: undefined; readonly failure: ExtractionFailure }
);

export interface ModelCallOptions {
  /** For the whole attempt, with a second request where it needs one. */
  readonly timeoutMs: number;
  readonly structuredOutput: "auto" | "off";
  /** Whether facts may say which memories they replace. */
  readonly consolidate: boolean;
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

    const structured = this.#structured(model);
    if (structured === undefined) {
      this.#plainOnly.add(original);
      return readPlain(model, attempt);
    }
    try {
      return readStructured(await attempt.invoke(structured), attempt);
    } catch (error) {
      const text = lostTextOf(error);
      if (text !== undefined) return readReply(text);
      const isRefused = refusesStructure(error);
      if (!isRefused && !isUnparsable(error) && statusOf(error) !== 400) throw error;
      if (isRefused) this.#plainOnly.add(original);
      const facts = await readPlain(model, attempt);
      // A 400 may have been for the text, an unreadable reply a gateway's page: that plain JSON goes through tells.
      if (facts !== undefined) this.#plainOnly.add(original);
      return facts;
    }
  }

  #structured(model: ChatModel): Invocable | undefined {
    const schema = this.#options.consolidate ? consolidatingReply : extractionReply;
    for (const strictness of [{ strict: true }, {}]) {
      try {
        return model.withStructuredOutput?.(schema, {
          name: "memories",
          includeRaw: true,
          ...strictness,
        }) as Invocable;
      } catch {
        // It says at once that it has no strict mode, or nothing of the kind.
      }
    }
    return undefined;
  }
}

async function readPlain(model: Invocable, attempt: ModelAttempt): Promise<LearnedFact[] | undefined> {
  return readMessageReply(await attempt.invoke(model), attempt);
}

/** With `includeRaw` a reply is `{ raw, parsed }`; some models give what was parsed alone. */
function readStructured(reply: unknown, attempt: ModelAttempt): LearnedFact[] | undefined {
  if (typeof reply !== "object" || reply === null || !("raw" in reply)) return readReply(reply);
  const { raw, parsed } = reply as { raw: unknown; parsed?: unknown };
  return readMessageReply(raw, attempt, parsed ?? undefined);
}

/** A reply that was cut off is not read at all: clients complete the half of a call's arguments to what looks whole. */
function readMessageReply(
  message: unknown,
  attempt: ModelAttempt,
  parsed?: unknown,
): LearnedFact[] | undefined {
  if (typeof message === "string") return readReply(parsed ?? message);
  if (isCutOff(message)) {
    attempt.wasCut = true;
    return undefined;
  }
  const facts = parsed === undefined ? undefined : readReply(parsed);
  if (facts !== undefined) return facts;
  const { content, tool_calls: calls } = (message ?? {}) as { content?: unknown; tool_calls?: unknown };
  const [call] = Array.isArray(calls) ? (calls as { args?: unknown }[]) : [];
  return readReply(textOfContent(content)) ?? readReply(call?.args);
}
