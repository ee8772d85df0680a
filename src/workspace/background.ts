/** As it is when the module loads: an app's test that fakes the timers later must not stop what it waits for. */
const nextTurn = setImmediate;

/** Work that nobody waits for: it never rejects, and {@link Background.idle} tells when there is none left. */
export class Background {
  readonly #running = new Set<Promise<void>>();
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** Begins when the turn that brought the work has gone on: what follows at once would still hold it up. */
  run(work: () => Promise<unknown>): void {
    const running: Promise<void> = new Promise((resolve) => nextTurn(resolve))
      .then(work)
      .then(() => {}, this.#onFailure)
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  idle(): Promise<void> {
    return holdingProcess(async () => {
      while (this.#running.size > 0) await Promise.all(this.#running);
    });
  }
}

/**
 * Keeps the process up while a person waits. Background timers don't, and Node ends a process in which nothing else is
 * left, in the middle of an `await` and with exit status 0.
 */
export async function holdingProcess<Result>(work: () => Promise<Result>): Promise<Result> {
  const hold = setInterval(() => {}, 2 ** 30);
  try {
    return await work();
  } finally {
    clearInterval(hold);
  }
}
