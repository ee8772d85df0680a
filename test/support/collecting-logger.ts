import type { Logger } from "../../src/index.js";

/** A logger whose lines a test can look at. */
export class CollectingLogger implements Logger {
  readonly warnings: string[] = [];
  readonly errors: string[] = [];

  warn = (message: string): void => {
    this.warnings.push(message);
  };

  error = (message: string): void => {
    this.errors.push(message);
  };

  get all(): string {
    return [...this.warnings, ...this.errors].join("\n");
  }
}
