import type { Reporter } from "../../log.js";
import { type Candidate, maxCandidates, withCandidates } from "../candidate.js";
import type { MemoryItem } from "../memory-item.js";
import type { MemoryStore } from "../memory-store.js";
import {
  countReplaced,
  isBelievable,
  mergeReplacing,
  noReplacements,
  type Replacements,
} from "../replace.js";

/** What came of one request. */
export interface LearnedPart {
  /** The memories as they were when the model was asked. */
  readonly asked: readonly MemoryItem[];
  /** What the learned ones replace, as the reply has it. */
  readonly replaces: Replacements;
  /** The generation of the memories at that time. */
  readonly generation: number;
}

export interface StoreLearnedOptions {
  readonly store: MemoryStore;
  /** How many memories are kept. */
  readonly limit: () => Promise<number>;
  readonly now: () => number;
  readonly reporter: Reporter;
  /** Whether a fact that says the same as a known one in other words is left out. */
  readonly nearDuplicates: boolean;
  /** Called with the count where a lowered limit evicts more than new facts push out. */
  readonly onEvicted: (count: number) => void;
}

/** Adds what was learned to the memories as they are now, in the place of what it replaces. Gives how many facts are new. */
export async function rememberLearned(
  learned: readonly MemoryItem[],
  { asked, replaces, generation }: LearnedPart,
  { store, limit, now, reporter, nearDuplicates, onEvicted }: StoreLearnedOptions,
): Promise<number> {
  const max = await limit();
  const inWordsOf = await wording(nearDuplicates);
  const { stored, evicted, doubted } = await store.memories.change((current) => {
    const nothing = { stored: 0, evicted: 0, doubted: undefined };
    // Cleared meanwhile: what was learned from before is not wanted any more.
    if (current.generation !== generation) return { result: nothing };
    const { believed, doubted } = judged(replaces, current.items.length);
    const merged = mergeReplacing({
      current: current.items,
      asked,
      learned: inWordsOf([...current.items, ...asked], learned, believed),
      limit: max,
      replaces: believed,
      now: now(),
    });
    const { items, added, replaced } = merged;
    const evicted = current.items.length + added.length - replaced.length - items.length;
    const isChanged = added.length + replaced.length > 0;
    return {
      items: isChanged ? items : undefined,
      replaced,
      result: { stored: added.length, evicted, doubted },
    };
  });
  if (evicted > stored) onEvicted(evicted);
  report(reporter, doubted, replaces);
  return stored;
}

/** Lays what was learned before a person, with what it would replace. Gives how many facts are new. */
export async function proposeLearned(
  learned: readonly MemoryItem[],
  { asked, replaces, generation }: LearnedPart,
  { store, reporter, nearDuplicates }: StoreLearnedOptions,
): Promise<number> {
  const inWordsOf = await wording(nearDuplicates);
  const memories = await store.memories.read();
  const { believed, doubted } = judged(replaces, memories.length);
  const { added, dropped } = await store.candidates.change((stored) => {
    if (stored.generation !== generation) return { result: { added: 0, dropped: 0 } };
    // What was known and has been deleted since is not wanted any more either.
    const { candidates, ...result } = withCandidates(
      stored.entries,
      inWordsOf([...stored.entries, ...asked, ...memories], learned, believed).map((item) =>
        asCandidate(item, believed),
      ),
      [...asked, ...memories],
    );
    return { entries: result.added > 0 ? candidates : undefined, result };
  });
  const cause = "candidates dropped";
  if (dropped === 0) reporter.recovered(cause);
  else {
    reporter.warnOnce(
      cause,
      `more than ${maxCandidates} candidates waited: the oldest ${dropped} were dropped`,
    );
  }
  report(reporter, doubted, replaces);
  return added;
}

type Wording = (
  known: readonly MemoryItem[],
  learned: readonly MemoryItem[],
  replaces: Replacements,
) => readonly MemoryItem[];

/** The words in which what was learned is joined to what is known: its own, or known ones that say the same. */
async function wording(nearDuplicates: boolean): Promise<Wording> {
  if (!nearDuplicates) return (_known, learned) => learned;
  // Few need its vocabulary.
  const { inKnownWords } = await import("../near-duplicates/index.js");
  return (known, learned, replaces) =>
    inKnownWords(
      learned,
      known,
      (fact, { id }) => replaces.get(fact.id)?.some((replaced) => replaced.id === id) === true,
    );
}

function asCandidate(item: MemoryItem, replaces: Replacements): Candidate {
  const ids = [...new Set(replaces.get(item.id)?.map(({ id }) => id))];
  return ids.length === 0 ? item : { ...item, replaces: ids };
}

interface Judged {
  readonly believed: Replacements;
  readonly doubted?: { readonly named: number; readonly memories: number } | undefined;
}

/** A reply that would replace too much at once replaces nothing. */
function judged(replaces: Replacements, memories: number): Judged {
  if (isBelievable(replaces, memories)) return { believed: replaces };
  return { believed: noReplacements, doubted: { named: countReplaced(replaces), memories } };
}

function report(reporter: Reporter, doubted: Judged["doubted"], replaces: Replacements): void {
  const cause = "doubted replacements";
  if (doubted === undefined) {
    if (replaces.size > 0) reporter.recovered(cause);
    return;
  }
  const { named, memories } = doubted;
  reporter.warnOnce(
    cause,
    `a reply would have replaced ${named} of ${memories} memories at once and was not believed: its facts were kept and nothing was replaced`,
  );
}
