import { randomUUID } from "node:crypto";
import type { Environment } from "../../src/index.js";

/** A clock that a test sets, beside real random ids. */
export class FixedClock implements Environment {
  time: number;

  constructor(time: number | string = "2026-03-01T09:00:00Z") {
    this.time = new Date(time).getTime();
  }

  now = (): number => this.time;

  randomUUID = (): string => randomUUID();

  advance(ms: number): void {
    this.time += ms;
  }
}
