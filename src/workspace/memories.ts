import { MemoryError } from "../errors.js";
import { withForgotten } from "../memory/forgotten.js";
import { contentKey, globalScope, type MemoryItem } from "../memory/memory-item.js";
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

export interface MemoriesParts {
  readonly collection: MemoryCollection;
  /** Keeps what was deleted, so that it is not learned again from what was said before. */
  readonly states: ExtractionStates;
  readonly environment: Environment;
  readonly limit: () => Promise<number>;
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
    return (await this.#parts.collection.read()).map((item) => ({ ...item }));
  }

  /**
   * Adds a fact and gives its item; where an equal one is there already, gives that.
   *
   * @param options.sourceScope Where it comes from, for display. Default: `"global"`.
   * @param options.allowSecret Store it though it looks like a credential. Default: false.
   * @throws MemoryError `ERR_MEMORY_EMPTY`, `ERR_MEMORY_TOO_LONG` above 200 code points, or `ERR_MEMORY_SECRET`.
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
    return this.#change((items) => {
      const equal = items.find((one) => contentKey(one.content) === key);
      return equal === undefined ? { items: [...items, item], result: item } : { result: equal };
    });
  }

  /**
   * Corrects a fact; id, time and source stay.
   *
   * @throws MemoryError `ERR_MEMORY_NOT_FOUND`, and as `add`.
   */
  async update(id: string, content: string, options: SecretOptions = {}): Promise<MemoryItem> {
    const checked = await checkedForSecrets(checkedContent(content), options);
    return this.#changeAndForget((items) => {
      const former = items.find((item) => item.id === id);
      if (former === undefined) {
        throw new MemoryError("ERR_MEMORY_NOT_FOUND", "there is no memory with this id");
      }
      const corrected = { ...former, content: checked };
      const key = contentKey(checked);
      // Corrected into what another says already, it is that fact twice: the corrected one stays.
      const others = items.filter((item) => item.id === id || contentKey(item.content) !== key);
      return { items: others.map((item) => (item.id === id ? corrected : item)), result: corrected };
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
   * @throws MemoryError `ERR_MEMORY_INVALID` where an item lacks a part or has it of a wrong type.
   */
  async save(items: readonly MemoryItem[]): Promise<void> {
    if (!Array.isArray(items)) throw new MemoryError("ERR_MEMORY_INVALID", "memories must be an array");
    const checked = items.map(checkedItem);
    if (new Set(checked.map(({ id }) => id)).size < checked.length) {
      throw new MemoryError("ERR_MEMORY_INVALID", "two memories have the same id");
    }
    await this.#changeAndForget(() => ({ items: tidy(checked, checked.length), result: undefined }));
  }

  /**
   * What a person's change takes away is noted before it goes: killed in between, it is still there. What only the limit
   * evicts was not deleted by anybody.
   */
  async #changeAndForget<Result>(
    change: (items: readonly MemoryItem[]) => MemoryChange<Result>,
  ): Promise<Result> {
    const items = await this.#parts.collection.read();
    const kept = new Set((change(items).items ?? items).map(({ content }) => contentKey(content)));
    await this.#forget(items.filter(({ content }) => !kept.has(contentKey(content))));
    return this.#change(change);
  }

  async #forget(items: readonly MemoryItem[]): Promise<void> {
    if (items.length === 0) return;
    const { states, environment } = this.#parts;
    const contents = items.map(({ content }) => content);
    await states.change((state) => ({
      ...state,
      forgotten: withForgotten(state.forgotten, contents, environment.now(), environment.randomUUID()),
    }));
  }

  /** Whatever is written keeps to the limit. Where more go than new ones push out, it was lowered: that is worth a warning. */
  async #change<Result>(change: (items: readonly MemoryItem[]) => MemoryChange<Result>): Promise<Result> {
    const { collection, limit, onEvicted } = this.#parts;
    const max = await limit();
    let evicted = 0;
    let isExpected = true;
    const result = await collection.change(({ items: former }) => {
      const { items, result } = change(former);
      if (items === undefined) return { result };
      const kept = withinLimit(items, max);
      evicted = items.length - kept.length;
      isExpected = evicted <= Math.max(0, items.length - former.length);
      return { items: kept, result };
    });
    if (!isExpected) onEvicted(evicted);
    return result;
  }
}
