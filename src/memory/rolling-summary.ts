import type { SummaryTexts } from "../locales/index.js";
import type { Reporter } from "../log.js";
import { readMessage, textOfContent, withoutReasoning } from "../messages/chat-message.js";
import { codePointLength, cutMiddle } from "../text/index.js";
import { type ChatModel, isCutOff, notStreaming } from "./extraction/chat-model.js";
import { contentFailure, type ExtractionFailure, failureOf } from "./extraction/failure.js";
import { ModelAttempt } from "./extraction/model-attempt.js";
import type { SessionRecords } from "./memory-store.js";
import { maskSecrets } from "./secrets/index.js";
import type { SessionMessage } from "./session-history.js";
import { emptySessionRecord, type SessionRecord } from "./session-record.js";

export interface RollingSummaryOptions {
  /**
   * Code points of messages in the prompt after which the older ones are condensed, in the background: an integer from 1
   * to 1 000 000.
   */
  readonly triggerChars: number;
  /** The newest messages that stay as they are: an integer from 0 to 10 000. */
  readonly keepMessages: number;
}

export interface RollingSummaryParts {
  readonly sessions: SessionRecords;
  readonly model: ChatModel;
  readonly texts: SummaryTexts;
  readonly cutMark: string;
  readonly secretMark: string;
  readonly timeoutMs: number;
  /** Code points of conversation in one request at most. */
  readonly chunkChars: number;
  readonly reporter: Reporter;
}

/**
 * Condenses the older messages of a session. It has a cursor of its own and takes nothing from what waits to be learned.
 * Nothing moves before the new summary is there: after a failure the former one and all messages stay in the prompt.
 */
export class RollingSummary {
  readonly #sessionId: string;
  readonly #parts: RollingSummaryParts;
  readonly #options: RollingSummaryOptions;
  #isRunning = false;

  constructor(sessionId: string, parts: RollingSummaryParts, options: RollingSummaryOptions) {
    this.#sessionId = sessionId;
    this.#parts = parts;
    this.#options = options;
  }

  /** The summary, and the messages that it does not cover. */
  async apply(
    history: readonly SessionMessage[],
  ): Promise<{ summary?: string; messages: readonly SessionMessage[] }> {
    const record = await this.#parts.sessions.read(this.#sessionId).catch(() => undefined);
    const messages = uncovered(history, record);
    return record?.summary === undefined ? { messages } : { summary: record.summary, messages };
  }

  /** One at a time; a turn that completes meanwhile leaves it to the next. */
  async condenseIfDue(history: readonly SessionMessage[]): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      await this.#condense(history);
    } finally {
      this.#isRunning = false;
    }
  }

  async #condense(history: readonly SessionMessage[]): Promise<void> {
    const { sessions, reporter } = this.#parts;
    const record = await sessions.read(this.#sessionId);
    const messages = uncovered(history, record);
    const total = messages.reduce((sum, { message }) => sum + codePointLength(textOf(message)), 0);
    const last = total > this.#options.triggerChars ? this.#lastToCondense(messages) : undefined;
    if (last === undefined) return;

    const { key, lines } = last;
    const cause = `summary ${this.#sessionId}`;
    if (lines.length > 0) {
      const { summary, failure } = await this.#ask(record?.summary, lines);
      if (summary === undefined) {
        reporter.warnOnce(cause, `the rolling summary failed (${failure?.reason}); nothing was condensed`);
        return;
      }
      await sessions.change(this.#sessionId, (current = emptySessionRecord(this.#sessionId)) => ({
        ...current,
        summary,
        summaryUpTo: key,
      }));
    }
    reporter.recovered(cause);
  }

  /** Ends before a user's message, so that no tool's result is parted from its call, and within one request. */
  #lastToCondense(messages: readonly SessionMessage[]): { key: string; lines: string[] } | undefined {
    let end = Math.max(0, messages.length - this.#options.keepMessages);
    while (end > 0 && end < messages.length && messages[end]?.message.getType() !== "human") end--;
    const lines: string[] = [];
    let key: string | undefined;
    let characters = 0;
    for (const { key: candidate, message, isPrivate } of messages.slice(0, end)) {
      const text = isPrivate ? "" : textOf(message);
      characters += codePointLength(text);
      if (characters > this.#parts.chunkChars && key !== undefined) break;
      key = candidate;
      const role = readMessage(message)?.role;
      if (text === "" || (role !== "user" && role !== "assistant")) continue;
      lines.push(
        JSON.stringify({ role, content: cutMiddle(text, this.#parts.chunkChars, this.#parts.cutMark) }),
      );
    }
    return key === undefined ? undefined : { key, lines };
  }

  async #ask(
    former: string | undefined,
    lines: readonly string[],
  ): Promise<{ summary?: string; failure?: ExtractionFailure }> {
    const { texts, model, timeoutMs, secretMark } = this.#parts;
    const formerPart = former === undefined ? "" : `${texts.formerHeading}\n${former}\n\n`;
    const user = `${formerPart}${texts.conversationHeading}\n${lines.join("\n")}`;
    const attempt = new ModelAttempt({ system: texts.instruction, user }, timeoutMs);
    try {
      const reply = await attempt.invoke(notStreaming(model));
      if (isCutOff(reply)) return { failure: contentFailure("cut off") };
      const content =
        typeof reply === "string" ? reply : (reply as { content?: unknown } | undefined)?.content;
      const summary = withoutReasoning(textOfContent(content)).trim();
      return summary === ""
        ? { failure: contentFailure("empty summary") }
        : { summary: await maskSecrets(summary, secretMark) };
    } catch (error) {
      return { failure: failureOf(error) };
    } finally {
      attempt.end();
    }
  }
}

function uncovered(
  history: readonly SessionMessage[],
  record: SessionRecord | undefined,
): readonly SessionMessage[] {
  const last = record?.summaryUpTo;
  return last === undefined ? history : history.slice(history.findLastIndex(({ key }) => key === last) + 1);
}

function textOf(message: unknown): string {
  return readMessage(message)?.text ?? "";
}
