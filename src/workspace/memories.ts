import { MemoryError } from "../errors.js";
import type { ContextTexts } from "../locales/context-texts.js";
import { withForgotten } from "../memory/forgotten.js";
import {
  byHand,
  contentKey,
  copyOfItem,
  globalScope,
  type MemoryItem,
  sessionsOf,
} from "../memory/memory-item.js";
import type { ExtractionStates, MemoryChange, MemoryCollection } from "../memory/memory-store.js";
import { tidy, withinLimit } from "../memory/merge.js";
import type { Environment } from "./environment.js";
import {
  checkedContent,
  checkedForSecrets,
  checkedItem,
  checkedScope,
  type SecretOptions,
} from "./memory-checks.js";
import { checkPinned, checkRoomForOne, type PinnedRoom } from "./pinned-room.js";

export interface MemoriesParts {
  readonly collection: MemoryCollection;
  /** Keeps what was deleted, so that it is not learned again from what was said before. */
  readonly states: ExtractionStates;
  readonly environment: Environment;
  readonly limit: () => Promise<number>;
  /** UTF-8 bytes of the memory segment, which what is pinned must fit. */
  readonly memoryBudget: number;
  readonly texts: ContextTexts;
  readonly clearWaiting: () => Promise<number>;
  readonly onEvicted: (count: number) => void;
}

export interface AddOptions extends SecretOptions {
  /** Where it comes from, for display. Default: `"global"`. */
  readonly sourceScope?: string | undefined;
}

/** The facts that are remembered, as a person sees and corrects them. Every call rejects where it can't be done. */
export class Memories {
  readonly #parts: MemoriesParts;

  constructor(parts: MemoriesParts) {
    this.#parts = parts;
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
  async add(content: string, options: AddOptions = {}): Promise<MemoryItem> {
    const { environment } = this.#parts;
    const item: MemoryItem = {
      id: environment.randomUUID(),
      content: await checkedForSecrets(checkedContent(content), options),
      createdAt: environment.now(),
      sourceScope: checkedScope(options.sourceScope ?? globalScope),
    };
    const key = contentKey(item.content);
    return this.#change((items, room) => {
      const equal = items.find((one) => contentKey(one.content) === key);
      if (equal !== undefined) return this.#takenOver(items, equal, item.createdAt);
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
      const corrected = byHand({ ...itemOf(items, id), content: checked }, now);
      const key = contentKey(checked);
      // Corrected into what another says already, it is that fact twice: the corrected one stays.
      const others = items.filter((item) => item.id === id || contentKey(item.content) !== key);
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
    return this.#change((items, room) => {
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

  /** Deletes a fact; it is not learned again, in the same words, from what was said before. Gives whether there was one. */
  remove(id: string): Promise<boolean> {
    return this.#changeAndForget((items) => {
      const kept = items.filter((item) => item.id !== id);
      return kept.length === items.length ? { result: false } : { items: kept, result: true };
    });
  }

  /**
   * Deletes the facts that came from a session: learned in it, also where others were asked about at once and the reply named
   * none, or written with it as their source. What a person corrected since stays. Gives how many there were.
   *
   * @internal Called by `sessions.remove`.
   */
  removeLearned(sessionId: string): Promise<number> {
    return this.#changeAndForget((items) => {
      const kept = items.filter((item) => !sessionsOf(item).includes(sessionId));
      const removed = items.length - kept.length;
      return removed === 0 ? { result: 0 } : { items: kept, result: removed };
    });
  }

  /**
   * Forgets everything, also what an extraction under way is about to bring. Gives how many there were.
   *
   * @param options.waiting Also drop what was said and is not distilled yet. Default: false.
   */
  async clear(options: { readonly waiting?: boolean } = {}): Promise<number> {
    await this.#forget(await this.#parts.collection.read());
    const cleared = await this.#parts.collection.clear();
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

  /** A person wrote what was learned before: it is theirs from now on. */
  #takenOver(items: readonly MemoryItem[], equal: MemoryItem, now: number): MemoryChange<MemoryItem> {
    if (equal.source === undefined || equal.source.byHandAt !== undefined) return { result: equal };
    const taken = byHand(equal, now);
    return { items: items.map((one) => (one === equal ? taken : one)), result: taken };
  }

  /**
   * What a person's change takes away is noted before it goes: killed in between, it is still there. What only the limit
   * evicts was not deleted by anybody.
   */
  async #changeAndForget<Result>(change: Change<Result>): Promise<Result> {
    const [items, room] = await Promise.all([this.#parts.collection.read(), this.#room()]);
    const kept = new Set((change(items, room).items ?? items).map(({ content }) => contentKey(content)));
    await this.#forget(items.filter(({ content }) => !kept.has(contentKey(content))));
    return this.#change(change);
  }

  async #forget(items: readonly MemoryItem[]): Promise<void> {
    if (items.length === 0) return;
    const { states, environment } = this.#parts;
    const contents = items.map(({ content }) => content);
    await states.change((state) => ({
      ...state,
      forgotten: withForgotten(state.forgotten, contents, {
        at: environment.now(),
        newSalt: environment.randomUUID(),
      }),
    }));
  }

  /** Whatever is written keeps to the limit. Where more go than new ones push out, it was lowered: that is worth a warning. */
  async #change<Result>(change: Change<Result>): Promise<Result> {
    const { collection, onEvicted } = this.#parts;
    const room = await this.#room();
    let evicted = 0;
    let isExpected = true;
    const result = await collection.change(({ items: former }) => {
      const { items, result } = change(former, room);
      if (items === undefined) return { result };
      const kept = withinLimit(items, room.limit);
      evicted = items.length - kept.length;
      isExpected = evicted <= Math.max(0, items.length - former.length);
      return { items: kept, result };
    });
    if (!isExpected) onEvicted(evicted);
    return result;
  }

  async #room(): Promise<PinnedRoom> {
    const { limit, memoryBudget, texts } = this.#parts;
    return { limit: await limit(), memoryBudget, texts };
  }
}

type Change<Result> = (items: readonly MemoryItem[], room: PinnedRoom) => MemoryChange<Result>;

function itemOf(items: readonly MemoryItem[], id: string): MemoryItem {
  const item = items.find((one) => one.id === id);
  if (item === undefined) throw new MemoryError("ERR_MEMORY_NOT_FOUND", "there is no memory with this id");
  return item;
}
