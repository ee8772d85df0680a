import { MemoryError } from "../errors.js";
import type { Candidate } from "../memory/candidate.js";
import {
  byHand,
  contentKey,
  copyOfItem,
  globalScope,
  type MemoryItem,
  sessionsOf,
} from "../memory/memory-item.js";
import type { EntryList, MemoryCollection } from "../memory/memory-store.js";
import { tidy } from "../memory/merge.js";
import type { ReplacedMemory } from "../memory/replaced-memory.js";
import { type ForgetParts, forget } from "./forget.js";
import { type Change, itemOf, type MemoryChanges, takenOver } from "./memory-changes.js";
import {
  checkedContent,
  checkedForSecrets,
  checkedItem,
  checkedScope,
  type SecretOptions,
} from "./memory-checks.js";
import { checkPinned, checkRoomForOne } from "./pinned-room.js";
import { ReplacedMemories } from "./replaced-memories.js";

export interface MemoriesParts extends ForgetParts {
  readonly collection: MemoryCollection;
  readonly replaced: EntryList<ReplacedMemory>;
  readonly candidates: EntryList<Candidate>;
  readonly changes: MemoryChanges;
  readonly nearDuplicates: boolean;
  readonly clearWaiting: () => Promise<number>;
}

export interface AddOptions extends SecretOptions {
  /** Where it comes from, for display. Default: `"global"`. */
  readonly sourceScope?: string | undefined;
}

/** The facts that are remembered, as a person sees and corrects them. Every call rejects where it can't be done. */
export class Memories {
  readonly #parts: MemoriesParts;
  readonly #changes: MemoryChanges;
  readonly #history: ReplacedMemories;

  constructor(parts: MemoriesParts) {
    this.#parts = parts;
    this.#changes = parts.changes;
    this.#history = new ReplacedMemories(parts);
  }

  /** All memories, oldest first: copies, so that changing one changes no later prompt. */
  async list(): Promise<MemoryItem[]> {
    return (await this.#parts.collection.read()).map(copyOfItem);
  }

  /**
   * Adds a fact and gives its item; where an equal one is there already, gives that: a learned one counts as written by
   * hand from then on.
   *
   * @param options.sourceScope Where it comes from, for display. Default: `"global"`.
   * @param options.allowSecret Store it though it looks like a credential. Default: false.
   * @throws MemoryError `ERR_MEMORY_EMPTY`, `ERR_MEMORY_TOO_LONG` above 200 code points, `ERR_MEMORY_SECRET`, or
   * `ERR_MEMORY_PINNED_LIMIT` where as many are pinned as are kept at all.
   */
  add(content: string, options: AddOptions = {}): Promise<MemoryItem> {
    return this.#add(content, options, () => false);
  }

  /**
   * The same for an agent's tool: with the option `nearDuplicates` one that says the same in other words counts as equal.
   *
   * @internal
   */
  async remember(content: string, options: AddOptions = {}): Promise<MemoryItem> {
    if (!this.#parts.nearDuplicates) return this.add(content, options);
    // Few need its vocabulary.
    const { isNearDuplicate } = await import("../memory/near-duplicates/index.js");
    return this.#add(content, options, isNearDuplicate);
  }

  async #add(
    content: string,
    options: AddOptions,
    saysSame: (known: string, content: string) => boolean,
  ): Promise<MemoryItem> {
    const { environment } = this.#parts;
    const item: MemoryItem = {
      id: environment.randomUUID(),
      content: await checkedForSecrets(checkedContent(content), options),
      createdAt: environment.now(),
      sourceScope: checkedScope(options.sourceScope ?? globalScope),
    };
    const key = contentKey(item.content);
    return this.#changes.write((items, room) => {
      const equal =
        items.find((one) => contentKey(one.content) === key) ??
        items.find((one) => saysSame(one.content, item.content));
      if (equal !== undefined) return takenOver(items, equal, item.createdAt);
      checkRoomForOne(items, room);
      return { items: [...items, item], result: item };
    });
  }

  /**
   * Corrects a fact; id, time and source stay, and so does the pin. A learned one counts as written by hand from then on
   * (`source.byHandAt`).
   *
   * @throws MemoryError `ERR_MEMORY_NOT_FOUND`, and as `add` and `setPinned`.
   */
  async update(id: string, content: string, options: SecretOptions = {}): Promise<MemoryItem> {
    const checked = await checkedForSecrets(checkedContent(content), options);
    const now = this.#parts.environment.now();
    return this.#changeAndForget((items, room) => {
      const key = contentKey(checked);
      const former = itemOf(items, id);
      // Corrected into what another says already, it is that fact twice: the corrected one stays, pinned where either is.
      const others = items.filter((item) => item.id === id || contentKey(item.content) !== key);
      const isPinned = items.some(
        (item) => item.pinned === true && (item === former || !others.includes(item)),
      );
      const corrected = byHand({ ...former, content: checked, ...(isPinned && { pinned: true }) }, now);
      const kept = others.map((item) => (item.id === id ? corrected : item));
      if (corrected.pinned === true) checkPinned(kept, room);
      return { items: kept, result: corrected };
    });
  }

  /**
   * Pins a fact, or unpins it: the limit evicts others, and the budget leaves others out. Gives the item.
   *
   * @throws MemoryError `ERR_MEMORY_NOT_FOUND`; `ERR_MEMORY_PINNED_LIMIT` where all that is pinned would be more than `limit`
   * or `memoryBudget` hold. Where one of these is lowered later, what is pinned stays, and the oldest of it is left out.
   */
  setPinned(id: string, pinned: boolean): Promise<MemoryItem> {
    return this.#changes.write((items, room) => {
      if (typeof pinned !== "boolean") {
        throw new MemoryError("ERR_MEMORY_INVALID", "pinned must be true or false");
      }
      const { pinned: isPinned = false, ...item } = itemOf(items, id);
      const changed = pinned ? { ...item, pinned } : item;
      const all = items.map((one) => (one.id === id ? changed : one));
      if (pinned) checkPinned(all, room);
      return { items: pinned === isPinned ? undefined : all, result: changed };
    });
  }

  /**
   * Deletes a fact, and from the history what it took the place of; it is not learned again, in the same words, from what was
   * said before. Also deletes what only the history holds. Gives whether there was one.
   */
  async remove(id: string): Promise<boolean> {
    const removed = await this.#changeAndForget((items) => {
      const kept = items.filter((item) => item.id !== id);
      return kept.length === items.length ? { result: false } : { items: kept, result: true };
    });
    return removed || (await this.#history.forget(new Set([id]))) > 0;
  }

  /** What new facts took the place of (option `consolidate`), oldest first: copies of the newest 200. */
  history(): Promise<ReplacedMemory[]> {
    return this.#history.list();
  }

  /**
   * Brings back what was replaced: the same id, words and source, as the newest, and by hand from now on, so that no model
   * replaces it again. What took its place stays, too, until a person deletes it. Gives the memory; where an equal one is
   * there, gives that.
   *
   * @throws MemoryError `ERR_MEMORY_NOT_FOUND` where the history doesn't hold it; `ERR_MEMORY_PINNED_LIMIT` as `add`.
   */
  restore(id: string): Promise<MemoryItem> {
    return this.#history.restore(id);
  }

  /**
   * Deletes the facts that came from a session: learned in it, also where others were asked about at once and the reply named
   * none, or written with it as their source. What a person corrected since stays. Gives how many there were.
   *
   * @internal Called by `sessions.remove`.
   */
  async removeLearned(sessionId: string): Promise<number> {
    const removed = await this.#changeAndForget((items) => {
      const kept = items.filter((item) => !sessionsOf(item).includes(sessionId));
      const removed = items.length - kept.length;
      return removed === 0 ? { result: 0 } : { items: kept, result: removed };
    });
    return removed + (await this.#history.forgetLearned(sessionId));
  }

  /**
   * Forgets everything, the history and all candidates included, and what an extraction under way is about to bring. Gives how
   * many memories there were.
   *
   * @param options.waiting Also drop what was said and is not distilled yet. Default: false.
   */
  async clear(options: { readonly waiting?: boolean } = {}): Promise<number> {
    const { replaced, candidates, collection } = this.#parts;
    const all = await Promise.all([replaced.read(), candidates.read(), collection.read()]);
    await forget(all.flat(), this.#parts);
    const cleared = await collection.clear();
    if (options.waiting === true) await this.#parts.clearWaiting();
    return cleared;
  }

  /**
   * Replaces all memories: cuts each to 200 code points, drops equal ones, sorts by time and evicts beyond the limit.
   *
   * @throws MemoryError `ERR_MEMORY_INVALID` where an item lacks a part or has it of a wrong type; `ERR_MEMORY_PINNED_LIMIT`
   * as `setPinned`.
   */
  async save(items: readonly MemoryItem[]): Promise<void> {
    if (!Array.isArray(items)) throw new MemoryError("ERR_MEMORY_INVALID", "memories must be an array");
    const checked = items.map(checkedItem);
    if (new Set(checked.map(({ id }) => id)).size < checked.length) {
      throw new MemoryError("ERR_MEMORY_INVALID", "two memories have the same id");
    }
    await this.#changeAndForget((_former, room) => {
      checkPinned(checked, room);
      return { items: tidy(checked, checked.length), result: undefined };
    });
  }

  /**
   * What a person's change takes away is noted before it goes: killed in between, it is still there. What only the limit
   * evicts was not deleted by anybody.
   */
  async #changeAndForget<Result>(change: Change<Result>): Promise<Result> {
    const { before, after } = await this.#changes.preview(change);
    const keys = new Set(after.map(({ content }) => contentKey(content)));
    await forget(
      before.filter(({ content }) => !keys.has(contentKey(content))),
      this.#parts,
    );
    const ids = new Set(after.map(({ id }) => id));
    const goneIds = before.map(({ id }) => id).filter((id) => !ids.has(id));
    if (goneIds.length > 0) await this.#history.forget(new Set(goneIds));
    return this.#changes.write(change);
  }
}
