import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { timeOutError } from "./failure.js";
import { outsideOfRuns } from "./isolation.js";

export interface Invocable {
  invoke(input: unknown, options: object): Promise<unknown>;
}

/** The requests of one attempt under one time-out, outside of any run: not streamed, not traced into it, not aborted with it. */
export class ModelAttempt {
  requests = 0;
  wasCut = false;
  readonly #messages: readonly unknown[];
  readonly #abort = new AbortController();
  readonly #timeOut: Promise<never>;
  #timer: NodeJS.Timeout | undefined;

  constructor({ system, user }: { readonly system: string; readonly user: string }, timeoutMs: number) {
    this.#messages = [new SystemMessage(system), new HumanMessage(user)];
    this.#timeOut = new Promise((_, reject) => {
      this.#timer = setTimeout(() => {
        reject(timeOutError());
        this.#abort.abort();
      }, timeoutMs).unref();
    });
    // Nobody may be listening when it fires.
    this.#timeOut.catch(() => {});
  }

  /** The time-out is a race, since some clients don't listen to their signal all the time. */
  async invoke(runnable: Invocable): Promise<unknown> {
    this.requests++;
    const reply = outsideOfRuns(async () =>
      runnable.invoke(this.#messages, {
        callbacks: [],
        signal: this.#abort.signal,
        runName: "memory_extraction",
      }),
    );
    return Promise.race([reply, this.#timeOut]);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
