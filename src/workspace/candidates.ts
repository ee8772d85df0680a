import { MemoryError } from "../errors.js";
import type { Candidate } from "../memory/candidate.js";
import { byHand, contentKey, type MemoryItem, sessionsOf } from "../memory/memory-item.js";
import type { EntryList } from "../memory/memory-store.js";
import { type ForgetParts, forget } from "./forget.js";
import type { Memories } from "./memories.js";
import { checkedContent, checkedForSecrets, type SecretOptions } from "./memory-checks.js";

export interface CandidatesParts extends ForgetParts {
  readonly candidates: EntryList<Candidate>;
  readonly memories: Memories;
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
    const { candidates, memories, environment } = this.#parts;
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
    const memory = await memories.accept(accepted, replaces);
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

  #drop(belongs: (candidate: Candidate) => boolean): Promise<number> {
    return this.#parts.candidates.change(({ entries }) => {
      const kept = entries.filter((one) => !belongs(one));
      const dropped = entries.length - kept.length;
      return { entries: dropped > 0 ? kept : undefined, result: dropped };
    });
  }
}
