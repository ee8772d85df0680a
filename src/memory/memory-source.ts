/** Where a model learned a fact: what was said, where and when. */
export interface MemorySource {
  /**
   * The session that it was learned in; all of those that were asked about at once where the reply named none, at most 50.
   */
  readonly sessionIds: readonly string[];
  /** Ids of the messages of these sessions that the model was shown, oldest first; of more than 50 the last. */
  readonly messageIds: readonly string[];
  /** Epoch milliseconds. */
  readonly learnedAt: number;
  /**
   * Epoch milliseconds at which a person last corrected it, or added it too: from then on it is theirs, and where it came
   * from is still to be seen. Absent while it stands as it was learned.
   */
  readonly byHandAt?: number | undefined;
}

/** Of the sessions and of the messages of one source: a hundred memories must stay a file that a turn can read. */
const maxIds = 50;

interface SpokenMessage {
  readonly session: string;
  readonly id: string;
}

/**
 * @param messages What the model was shown, in order.
 * @param sessionId The session that the fact is of; `undefined` where the reply didn't say.
 */
export function learnedSource(
  messages: readonly SpokenMessage[],
  sessionId: string | undefined,
  learnedAt: number,
): MemorySource {
  const ofIt = sessionId === undefined ? messages : messages.filter(({ session }) => session === sessionId);
  return {
    sessionIds: lastOnce(ofIt.map(({ session }) => session)),
    // Some servers give every reply the same id.
    messageIds: lastOnce(ofIt.map(({ id }) => id)),
    learnedAt,
  };
}

/** Reads what a file or a caller holds; `undefined` for anything that is no source as a whole. */
export function readSource(value: unknown): MemorySource | undefined {
  const { sessionIds, messageIds, learnedAt, byHandAt } = (value ?? {}) as Record<string, unknown>;
  if (!isListOfIds(sessionIds) || !isListOfIds(messageIds) || !isTime(learnedAt)) return undefined;
  if (byHandAt !== undefined && !isTime(byHandAt)) return undefined;
  return {
    sessionIds: lastOnce(sessionIds),
    messageIds: lastOnce(messageIds),
    learnedAt,
    ...(byHandAt !== undefined && { byHandAt }),
  };
}

function lastOnce(ids: readonly string[]): string[] {
  return [...new Set(ids)].slice(-maxIds);
}

function isListOfIds(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((id) => typeof id === "string" && id !== "");
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
