import { type ChildProcess, fork } from "node:child_process";
import type { ChildAnswer, ChildRequest, ChildSetup, ChildTurn } from "./child-messages.js";

/** A process of an app, as its parent sees it. */
export class AppProcess {
  readonly child: ChildProcess;
  readonly #waiting = new Map<number, (answer: ChildAnswer | undefined) => void>();
  readonly #exited: Promise<void>;
  #number = 0;
  isAlive = true;

  private constructor(file: string, setup: ChildSetup) {
    this.child = fork(file, [JSON.stringify(setup)], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#exited = new Promise((resolve) => {
      this.child.once("exit", () => {
        this.isAlive = false;
        for (const settle of this.#waiting.values()) settle(undefined);
        resolve();
      });
    });
    this.child.on("message", (answer: ChildAnswer) => this.#settle(answer));
  }

  static async start(file: string, setup: ChildSetup): Promise<AppProcess> {
    const app = new AppProcess(file, setup);
    await new Promise<void>((resolve, reject) => {
      app.child.once("message", () => resolve());
      app.child.once("exit", (code) => reject(new Error(`a process ended at its start (${code})`)));
    });
    return app;
  }

  /** Gives the context that the turn was answered with, when it is acknowledged; `undefined` where the process died. */
  async take(turn: ChildTurn): Promise<string | undefined> {
    const answer = await this.#ask({ turn });
    if (answer?.failure !== undefined) throw new Error(answer.failure);
    return answer?.context;
  }

  kill(): Promise<void> {
    this.child.kill("SIGKILL");
    return this.#exited;
  }

  /** Resolves when no background work is left. */
  async idle(): Promise<void> {
    await this.#ask({});
  }

  async end(): Promise<void> {
    if (this.isAlive) void this.#ask({ isEnd: true });
    await this.#exited;
  }

  #ask(request: Omit<ChildRequest, "number">): Promise<ChildAnswer | undefined> {
    if (!this.isAlive) return Promise.resolve(undefined);
    const number = ++this.#number;
    return new Promise((resolve) => {
      this.#waiting.set(number, resolve);
      this.child.send({ number, ...request }, (error) => error && this.#settleAs(number, undefined));
    });
  }

  #settle(answer: ChildAnswer): void {
    if (answer.number !== undefined) this.#settleAs(answer.number, answer);
  }

  #settleAs(number: number, answer: ChildAnswer | undefined): void {
    this.#waiting.get(number)?.(answer);
    this.#waiting.delete(number);
  }
}
