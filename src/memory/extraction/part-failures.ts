import type { Reporter } from "../../log.js";
import { type ExtractionState, initialExtractionState, type MemoryStore } from "../memory-store.js";
import { seenMessages, withSeen } from "../session-record.js";
import type { WaitingEntry } from "../waiting-entry.js";
import { changeWhileWaiting } from "./change-while-waiting.js";

/** A part that fails so often in a row for what it holds is made smaller, or passed over. */
const maxFailures = 3;

/** Reads, changes and writes the state of the extraction as one step. */
export type ChangeState = (change: (state: ExtractionState) => ExtractionState) => Promise<void>;

/**
 * Counts a failure for what a part holds. The third in a row halves it, and the list of known memories with it; a single
 * message is passed over, so that one poisonous message can't stop the rest for ever.
 */
export async function countPartFailure(
  store: MemoryStore,
  changeState: ChangeState,
  reporter: Reporter,
  part: readonly WaitingEntry[],
): Promise<void> {
  const [first] = part;
  if (first === undefined) return;
  const { contentFailures } = limitsFor(await store.extraction.read(), first);
  if (contentFailures + 1 >= maxFailures && part.length === 1) await passOver(store, reporter, first);
  await changeState((state) => afterFailure(state, first, part.length));
}

/** How small the part that begins with this message must be: what others failed at is not its own. */
export function limitsFor(
  state: ExtractionState,
  first: WaitingEntry,
): Pick<ExtractionState, "contentFailures" | "halvings" | "partMessages"> {
  const isAnothers = state.failingEntryId !== undefined && state.failingEntryId !== first.entryId;
  return isAnothers ? initialExtractionState : state;
}

/**
 * Parts grow again by doubling, and the list of known memories with them. A success elsewhere changes nothing for a part
 * that has failed and still waits.
 */
export function afterSuccess(
  state: ExtractionState,
  done: ReadonlySet<string>,
  isWaiting: (entryId: string) => boolean,
): ExtractionState {
  const { failingEntryId, partMessages, ...others } = state;
  if (failingEntryId !== undefined && !done.has(failingEntryId)) {
    return isWaiting(failingEntryId) ? state : { ...others, contentFailures: 0, halvings: 0 };
  }
  const halvings = Math.max(0, state.halvings - 1);
  return {
    ...others,
    contentFailures: 0,
    halvings,
    ...(halvings > 0 && partMessages !== undefined && { partMessages: partMessages * 2 }),
  };
}

function afterFailure(state: ExtractionState, first: WaitingEntry, messages: number): ExtractionState {
  const { failingEntryId: _, partMessages: __, ...others } = state;
  const { contentFailures, halvings, partMessages } = limitsFor(state, first);
  const failures = contentFailures + 1;
  const smaller = { ...(partMessages !== undefined && { partMessages }) };
  if (failures < maxFailures) {
    return { ...others, ...smaller, contentFailures: failures, halvings, failingEntryId: first.entryId };
  }
  // Passed over: whoever comes next begins as small as this one ended.
  if (messages === 1) return { ...others, ...smaller, contentFailures: 0, halvings };
  return {
    ...others,
    contentFailures: 0,
    halvings: halvings + 1,
    partMessages: Math.ceil(messages / 2),
    failingEntryId: first.entryId,
  };
}

async function passOver(store: MemoryStore, reporter: Reporter, entry: WaitingEntry): Promise<void> {
  const { entryId, id, session } = entry;
  // Seen before it goes, so that a resumed turn doesn't bring it back.
  await changeWhileWaiting(store, [[entry]], (record) => withSeen(record, seenMessages([entry])));
  await store.waiting.remove(new Set([entryId]));
  const cause = `passed over ${entryId}`;
  reporter.warnOnce(
    cause,
    `message ${JSON.stringify(id)} of session ${JSON.stringify(session)} was passed over: the extraction failed ${maxFailures} times on it alone`,
  );
  reporter.recovered(cause);
}
