import { randomUUID } from "node:crypto";

/** What comes in from outside, so that a test needs no trick. */
export interface Environment {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly randomUUID: () => string;
}

export const systemEnvironment: Environment = { now: Date.now, randomUUID };
