import { MemoryError } from "../errors.js";
import type { Candidate } from "../memory/candidate.js";
import { byHand, contentKey, type MemoryItem, sessionsOf } from "../memory/memory-item.js";
import type { EntryList } from "../memory/memory-store.js";
import { mergeReplacing } from "../memory/replace.js";
import { type ForgetParts, forget } from "./forget.js";
import { type MemoryChanges, takenOver } from "./memory-changes.js";
import { checkedContent, checkedForSecrets, type SecretOptions } from "./memory-checks.js";
import { checkRoomForOne } from "./pinned-room.js";

export interface CandidatesParts extends ForgetParts {
  readonly candidates: EntryList<Candidate>;
  readonly changes: MemoryChanges;
}

export interface AcceptOptions extends SecretOptions {
  /** The fact in a person's own words. Default: as it was learned. */
  readonly content?: string | undefined;
}

/**
 * What was learned and waits for a person, where the option `review` is on. None of it is in a prompt. Every call rejects where
 * it can't be done.
 */
export class Candidates {
  readonly #parts: CandidatesParts;

  constructor(parts: CandidatesParts) {
    this.#parts = parts;
  }

  /** All that wait, oldest first: copies. `replaces` holds the ids of the memories whose place one takes. */
  async list(): Promise<Candidate[]> {
    return structuredClone([...(await this.#parts.candidates.read())]);
  }

  /**
   * Makes a memory of it, with the same id, and takes out what it replaces, but for what a person has written, corrected or pinned
   * since. Gives the memory; where an equal one is there, gives that.
   *
   * @param options.content The fact in other words: it then counts as written by hand. Default: as it was learned.
   * @param options.allowSecret Store these words though they look like a credential. Default: false.
   * @throws MemoryError `ERR_CANDIDATE_NOT_FOUND`, and as `memories.add`.
   */
  async accept(id: string, options: AcceptOptions = {}): Promise<MemoryItem> {
    const { candidates, environment } = this.#parts;
    const candidate = (await candidates.read()).find((one) => one.id === id);
    if (candidate === undefined) {
      throw new MemoryError("ERR_CANDIDATE_NOT_FOUND", "there is no candidate with this id");
    }
    const { replaces = [], ...learned } = candidate;
    const now = environment.now();
    const item = { ...learned, createdAt: now };
    const isChanged = options.content !== undefined && options.content !== learned.content;
    const accepted = isChanged
      ? byHand({ ...item, content: await checkedForSecrets(checkedContent(options.content), options) }, now)
      : item;
    // In the words that a person corrected it is not to be proposed again.
    if (contentKey(accepted.content) !== contentKey(learned.content)) await forget([learned], this.#parts);
    const memory = await this.#remember(accepted, replaces);
    await this.#drop(({ id: other }) => other === id);
    return memory;
  }

  /** Drops it; it is not proposed again in the same words, whatever is said later. Gives whether there was one. */
  async reject(id: string): Promise<boolean> {
    const rejected = (await this.#parts.candidates.read()).filter((one) => one.id === id);
    await forget(rejected, this.#parts, { forGood: true });
    return (await this.#drop((one) => one.id === id)) > 0;
  }

  /**
   * Drops those that came from a session. Gives how many there were.
   *
   * @internal Called by `sessions.remove`.
   */
  async removeLearned(sessionId: string): Promise<number> {
    const ofIt = (candidate: Candidate) => sessionsOf(candidate).includes(sessionId);
    await forget((await this.#parts.candidates.read()).filter(ofIt), this.#parts);
    return this.#drop(ofIt);
  }

  #remember(accepted: MemoryItem, replaces: readonly string[]): Promise<MemoryItem> {
    const { id, content, createdAt: now } = accepted;
    const key = contentKey(content);
    return this.#parts.changes.write((items, room) => {
      const equal = items.find((one) => one.id === id || contentKey(one.content) === key);
      if (equal === undefined) checkRoomForOne(items, room);
      const named = items.filter((one) => replaces.includes(one.id));
      const { items: merged, replaced } = mergeReplacing({
        current: items,
        asked: [],
        learned: [equal === undefined ? accepted : { ...equal, id }],
        // Whatever is written keeps to the limit.
        limit: Number.POSITIVE_INFINITY,
        replaces: new Map([[id, named]]),
        now,
      });
      const isByHand = equal !== undefined && accepted.source?.byHandAt !== undefined;
      const taken = isByHand ? takenOver(merged, equal, now) : { result: equal ?? accepted };
      return { items: merged, replaced, ...taken };
    });
  }

  #drop(belongs: (candidate: Candidate) => boolean): Promise<number> {
    return this.#parts.candidates.change(({ entries }) => {
      const kept = entries.filter((one) => !belongs(one));
      const dropped = entries.length - kept.length;
      return { entries: dropped > 0 ? kept : undefined, result: dropped };
    });
  }
}
