import { faultName } from "../errors.js";
import { outsideOfRuns } from "../memory/extraction/isolation.js";
import type { MemoryItem } from "../memory/memory-item.js";
import { contentHash, type MemoryVectors } from "../memory/memory-vectors.js";
import { compactVector, embedTexts, type SelectionByMeaning, type Vector } from "../selection/index.js";
import type { SharedParts } from "./shared-parts.js";

/** Texts in one call of the embeddings; what one call brought is kept where the next one fails. */
const batchSize = 200;

/** Longest wait for one batch, which nobody waits for, in milliseconds. */
const batchTimeoutMs = 60_000;

/** After a failure the embeddings are left alone for so long: a turn should not wait for what is down, in milliseconds. */
const pauseMs = 60_000;

/** The vectors of one user's memories: of this process, then of their home, then made anew. */
export class VectorShelf {
  readonly #selection: SelectionByMeaning;
  readonly #home: MemoryVectors | undefined;
  readonly #shared: SharedParts;
  /** By content. */
  #known = new Map<string, Vector>();
  /** The length of vectors that the embeddings give now; those of another are of another model. */
  #length: number | undefined;
  #filling: Promise<void> | undefined;
  #pausedUntil = 0;

  constructor(selection: SelectionByMeaning, home: MemoryVectors | undefined, shared: SharedParts) {
    this.#selection = selection;
    this.#home = home;
    this.#shared = shared;
  }

  /** Makes what is missing, in the background. Never rejects. */
  fill(memories: readonly MemoryItem[]): Promise<void> {
    const before = this.#filling ?? Promise.resolve();
    const filling = before.then(() => this.#fill(memories));
    this.#filling = filling;
    this.#shared.background.run(() => filling);
    return filling;
  }

  /**
   * The vectors of the query and of the memories, as far as they are there in time; `undefined` where the embeddings
   * fail or are late.
   */
  async of(
    memories: readonly MemoryItem[],
    query: string,
  ): Promise<{ query: Vector; memories: (Vector | undefined)[] } | undefined> {
    if (this.#isPaused()) return undefined;
    const { embeddings, timeoutMs } = this.#selection;
    const filled = this.#isComplete(memories) ? undefined : this.fill(memories);
    try {
      const asked = outsideOfRuns(() => inTime(async () => embeddings.embedQuery(query), timeoutMs));
      const [numbers] = await Promise.all([
        asked,
        filled && inTime(() => filled, timeoutMs).catch(() => undefined),
      ]);
      const vector = compactVector(numbers);
      if (this.#length !== vector.length) {
        this.#length = vector.length;
        if (!this.#isComplete(memories)) this.fill(memories);
      }
      this.#worked();
      return { query: vector, memories: memories.map(({ content }) => this.#vectorOf(content)) };
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  async #fill(memories: readonly MemoryItem[]): Promise<void> {
    const contents = new Set(memories.map(({ content }) => content));
    this.#known = new Map([...this.#known].filter(([content]) => contents.has(content)));
    if (this.#isComplete(memories) || this.#isPaused() || this.#shared.isClosed()) return;
    await this.#fetch(contents);
    const missing = memories.filter(({ content }) => this.#vectorOf(content) === undefined);
    for (let from = 0; from < missing.length; from += batchSize) {
      if (!(await this.#make(missing.slice(from, from + batchSize)))) return;
    }
  }

  /** What another process has made. */
  async #fetch(contents: ReadonlySet<string>): Promise<void> {
    const { reporter } = this.#shared;
    try {
      const found = await this.#home?.read(this.#selection.embeddingsName);
      for (const content of contents) {
        const vector = found?.get(contentHash(content));
        if (vector !== undefined) this.#known.set(content, vector);
      }
      reporter.recovered("reading vectors");
    } catch (error) {
      reporter.warnOnce("reading vectors", `vectors of memories can't be read (${faultName(error)})`);
    }
  }

  /** Whether it worked. */
  async #make(memories: readonly MemoryItem[]): Promise<boolean> {
    const contents = memories.map(({ content }) => content);
    let vectors: Vector[];
    try {
      vectors = await outsideOfRuns(() =>
        inTime(() => embedTexts(this.#selection.embeddings, contents), batchTimeoutMs, "background"),
      );
    } catch (error) {
      this.#failed(error);
      return false;
    }
    for (const [at, vector] of vectors.entries()) this.#known.set(contents[at] ?? "", vector);
    const made = new Map(vectors.map((vector, at) => [contentHash(contents[at] ?? ""), vector]));
    this.#length = vectors[0]?.length ?? this.#length;
    await this.#keep(made);
    return true;
  }

  async #keep(made: ReadonlyMap<string, Vector>): Promise<void> {
    const { reporter } = this.#shared;
    try {
      await this.#home?.add(this.#selection.embeddingsName, made);
      reporter.recovered("keeping vectors");
    } catch (error) {
      reporter.warnOnce("keeping vectors", `vectors of memories can't be kept (${faultName(error)})`);
    }
  }

  #isComplete(memories: readonly MemoryItem[]): boolean {
    return memories.every(({ content }) => this.#vectorOf(content) !== undefined);
  }

  #vectorOf(content: string): Vector | undefined {
    const vector = this.#known.get(content);
    return this.#length === undefined || vector?.length === this.#length ? vector : undefined;
  }

  #isPaused(): boolean {
    return this.#shared.environment.now() < this.#pausedUntil;
  }

  #worked(): void {
    this.#shared.reporter.recovered("embeddings");
  }

  #failed(error: unknown): void {
    this.#pausedUntil = this.#shared.environment.now() + pauseMs;
    this.#shared.reporter.warnOnce(
      "embeddings",
      `the embeddings failed (${faultName(error)}): memories are chosen by their words alone`,
    );
  }
}

/** Rejects when `work` has not ended in time. In the background the timer holds no process open. */
async function inTime<Result>(
  work: () => Promise<Result>,
  timeoutMs: number,
  where?: "background",
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error("not in time"), { code: "ETIMEDOUT" });
    timer = setTimeout(() => reject(error), timeoutMs);
    if (where === "background") timer.unref();
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
