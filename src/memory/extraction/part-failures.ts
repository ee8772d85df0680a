import type { Reporter } from "../../log.js";
import { type ExtractionState, initialExtractionState, type MemoryStore } from "../memory-store.js";
import { emptySessionRecord, seenMessage, withSeen } from "../session-record.js";
import type { WaitingEntry } from "../waiting-entry.js";

/** A part that fails so often in a row for what it holds is made smaller, or passed over. */
const maxFailures = 3;

/**
 * Counts a failure for what a part holds. The third in a row halves it, and the list of known memories with it; a single
 * message is passed over, so that one poisonous message can't stop the rest for ever.
 */
export async function countPartFailure(
  store: MemoryStore,
  reporter: Reporter,
  part: readonly WaitingEntry[],
): Promise<void> {
  const [first] = part;
  if (first === undefined) return;
  const failures = failuresOf(await store.extraction.read(), first) + 1;
  if (failures >= maxFailures && part.length === 1) await passOver(store, reporter, first);
  await store.extraction.change((state) => afterFailure(state, part, failures));
}

/** Parts grow again by doubling, and the list of known memories with them. */
export function afterSuccess({ generation, halvings, partMessages }: ExtractionState): ExtractionState {
  const left = Math.max(0, halvings - 1);
  return {
    ...initialExtractionState,
    generation,
    halvings: left,
    ...(left > 0 && partMessages !== undefined && { partMessages: partMessages * 2 }),
  };
}

/** Of this part, by the message that it begins with: another's failures are not its own. */
function failuresOf({ contentFailures, failingEntryId }: ExtractionState, first: WaitingEntry): number {
  return failingEntryId === undefined || failingEntryId === first.entryId ? contentFailures : 0;
}

function afterFailure(
  state: ExtractionState,
  part: readonly WaitingEntry[],
  failures: number,
): ExtractionState {
  if (failures < maxFailures) {
    return { ...state, contentFailures: failures, failingEntryId: part[0]?.entryId };
  }
  const { failingEntryId: _, ...others } = state;
  if (part.length === 1) return { ...others, contentFailures: 0 };
  const partMessages = Math.ceil(part.length / 2);
  return { ...others, contentFailures: 0, halvings: state.halvings + 1, partMessages };
}

async function passOver(
  store: MemoryStore,
  reporter: Reporter,
  { entryId, id, session, text }: WaitingEntry,
): Promise<void> {
  // Seen before it goes, so that a resumed turn doesn't bring it back.
  await store.sessions.change(session, (record = emptySessionRecord(session)) =>
    withSeen(record, [seenMessage(id, text)]),
  );
  await store.waiting.remove(new Set([entryId]));
  const cause = `passed over ${entryId}`;
  reporter.warnOnce(
    cause,
    `message ${JSON.stringify(id)} of session ${JSON.stringify(session)} was passed over: the extraction failed ${maxFailures} times on it alone`,
  );
  reporter.recovered(cause);
}
