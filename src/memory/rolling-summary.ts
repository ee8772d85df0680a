import type { Reporter } from "../log.js";
import type { SessionRecords } from "./memory-store.js";
import type { SessionMessage } from "./session-history.js";
import { emptySessionRecord, type SessionRecord } from "./session-record.js";
import { nextSummaryPart } from "./summary-part.js";
import { askForSummary, type SummaryRequestParts } from "./summary-request.js";

export interface RollingSummaryOptions {
  /**
   * Code points of messages in the prompt from which on the older ones are condensed, in the background: an integer from
   * 1 to 1 000 000.
   */
  readonly triggerChars: number;
  /** The newest messages that stay as they are, with the rest of their turn: an integer from 0 to 10 000. */
  readonly keepMessages: number;
}

export interface RollingSummaryParts extends SummaryRequestParts {
  readonly sessions: SessionRecords;
  readonly cutMark: string;
  /** Code points of conversation in one request at most. */
  readonly chunkChars: number;
  readonly reporter: Reporter;
}

/** A summary, and the last message that it covers. */
interface Summary {
  readonly summary: string;
  readonly summaryUpTo: string;
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
  /** Another one from each `drop` on: what was asked for earlier is about a conversation that is gone. */
  #conversation = Symbol();
  #saving: Promise<void> = Promise.resolve();
  /** Could not be saved: it is with the next turn, without a second request. */
  #unsaved: { readonly summary: Summary; readonly former: SessionRecord | undefined } | undefined;

  constructor(sessionId: string, parts: RollingSummaryParts, options: RollingSummaryOptions) {
    this.#sessionId = sessionId;
    this.#parts = parts;
    this.#options = options;
  }

  /** The summary, and the messages that it does not cover. */
  async apply(
    history: readonly SessionMessage[],
  ): Promise<{ summary?: string; messages: readonly SessionMessage[] }> {
    // Without the record the whole conversation is in the prompt, which is longer and not wrong.
    const record = await this.#parts.sessions.read(this.#sessionId).catch(() => undefined);
    const messages = uncovered(history, record);
    return record?.summary === undefined ? { messages } : { summary: record.summary, messages };
  }

  /** One at a time; a turn that completes meanwhile leaves it to the next. Never rejects. */
  async condenseIfDue(readHistory: () => Promise<readonly SessionMessage[]>): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      await this.#condense(readHistory);
    } catch (error) {
      const { code } = (error ?? {}) as { code?: unknown };
      this.#parts.reporter.errorOnce(
        this.#savingCause,
        `the rolling summary could not be saved (${typeof code === "string" ? code : "unknown reason"})`,
      );
    } finally {
      this.#isRunning = false;
    }
  }

  /** From when it resolves on, a request that is under way changes nothing any more. */
  async drop(): Promise<void> {
    this.#conversation = Symbol();
    await this.#saving.catch(() => {
      // Whoever saves says so.
    });
    this.#unsaved = undefined;
  }

  async #condense(readHistory: () => Promise<readonly SessionMessage[]>): Promise<void> {
    const { sessions, reporter } = this.#parts;
    const conversation = this.#conversation;
    if (this.#unsaved !== undefined) {
      await this.#save(this.#unsaved.summary, this.#unsaved.former, conversation);
      return;
    }
    const [record, history] = await Promise.all([sessions.read(this.#sessionId), readHistory()]);
    const part = nextSummaryPart(uncovered(history, record), { ...this.#parts, ...this.#options });
    if (part === undefined) return;

    const cause = `summary ${this.#sessionId}`;
    const reply = await askForSummary(record?.summary, part.lines, this.#parts);
    if ("failure" in reply) {
      const { reason } = reply.failure;
      reporter.warnOnce(cause, `the rolling summary failed (${reason}); nothing was condensed`);
      return;
    }
    reporter.recovered(cause);
    // Another process may have cleared the session: nothing of it may come back.
    if (!(await readHistory()).some(({ key }) => key === part.upTo)) return;
    await this.#save({ summary: reply.summary, summaryUpTo: part.upTo }, record, conversation);
  }

  async #save(summary: Summary, former: SessionRecord | undefined, conversation: symbol): Promise<void> {
    if (conversation !== this.#conversation) return;
    this.#unsaved = { summary, former };
    this.#saving = this.#parts.sessions.change(
      this.#sessionId,
      (current = emptySessionRecord(this.#sessionId)) => {
        // Another instance of the session came first: its summary and its cursor belong together.
        const isStill = current.summaryUpTo === former?.summaryUpTo && current.summary === former?.summary;
        return isStill && conversation === this.#conversation ? { ...current, ...summary } : current;
      },
    );
    await this.#saving;
    this.#unsaved = undefined;
    this.#parts.reporter.recovered(this.#savingCause);
  }

  get #savingCause(): string {
    return `saving summary ${this.#sessionId}`;
  }
}

/** Removes the summary of a session, if it has one. */
export async function forgetSummary(sessions: SessionRecords, sessionId: string): Promise<void> {
  if ((await sessions.read(sessionId))?.summaryUpTo === undefined) return;
  await sessions.change(sessionId, (record = emptySessionRecord(sessionId)) => withoutSummary(record));
}

function withoutSummary({ summary, summaryUpTo, ...record }: SessionRecord): SessionRecord {
  return record;
}

function uncovered(
  history: readonly SessionMessage[],
  record: SessionRecord | undefined,
): readonly SessionMessage[] {
  const last = record?.summaryUpTo;
  return last === undefined ? history : history.slice(history.findLastIndex(({ key }) => key === last) + 1);
}
