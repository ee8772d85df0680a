/** How an attempt ended; after anything but `"done"` the next try is after the next completed turn. */
export type AttemptOutcome = "done" | "failed" | "busy" | "nothing";

export interface ScheduledWork {
  /** Whether enough waits for an attempt. */
  isDue(): Promise<boolean>;
  attempt(): Promise<AttemptOutcome>;
}

/**
 * How often there is an attempt: each completed turn permits one, never more, and one runs at a time. A turn that completes
 * meanwhile leaves its permit; a failure uses up all of them.
 */
export class ExtractionSchedule {
  readonly #work: ScheduledWork;
  #permits = 0;
  #running: Promise<void> | undefined;

  constructor(work: ScheduledWork) {
    this.#work = work;
  }

  /** Resolves when nothing more is permitted or due. Rejects only if the work does. */
  turnCompleted(): Promise<void> {
    this.#permits++;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#permits > 0) {
        this.#permits--;
        if (!(await this.#work.isDue())) continue;
        if ((await this.#work.attempt()) !== "done") this.#permits = 0;
      }
    } finally {
      this.#permits = 0;
    }
  }
}
