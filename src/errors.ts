/**
 * Errors that reach an app. A wrong option throws a `TypeError` or `RangeError` when something is constructed; a call that
 * a person makes (`add`, `update`, `setEnabled`, …) rejects with a {@link MemoryError}. Each bears a stable `code`, and
 * no text of a user, a memory or a file is ever in a message.
 */

const mark = Symbol.for("langchain-cross-session-memory.error");

export type MemoryErrorCode =
  | "ERR_MEMORY_EMPTY"
  | "ERR_MEMORY_TOO_LONG"
  | "ERR_MEMORY_SECRET"
  | "ERR_MEMORY_INVALID"
  | "ERR_MEMORY_NOT_FOUND"
  | "ERR_MEMORY_PINNED_LIMIT"
  | "ERR_CANDIDATE_NOT_FOUND"
  | "ERR_ASSET_NOT_FOUND"
  | "ERR_SETTING_INVALID"
  | "ERR_USER_INVALID"
  | "ERR_LOCKED"
  | "ERR_WRITE_INCOMPLETE"
  | "ERR_CLOSED";

/** A call of a person or an app that can't be carried out. Tell it apart by `code`, not by its message. */
export class MemoryError extends Error {
  readonly code: MemoryErrorCode;

  constructor(code: MemoryErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "MemoryError";
    this.code = code;
    Object.defineProperty(this, mark, { value: true });
  }

  /** True for an error of this library, also where it comes from another copy of it (`instanceof` fails between ESM and CommonJS). */
  static isInstance(error: unknown): error is MemoryError {
    return typeof error === "object" && error !== null && mark in error;
  }
}

export type OptionErrorCode = "ERR_OPTION_UNKNOWN" | "ERR_OPTION_TYPE" | "ERR_OPTION_RANGE";

/** The one style of an option's error: `limit must be an integer from 10 to 1000, got 5`. */
export function optionError(
  code: OptionErrorCode,
  option: string,
  expected: string,
  value: unknown,
): TypeError | RangeError {
  const ErrorClass = code === "ERR_OPTION_RANGE" ? RangeError : TypeError;
  const error = new ErrorClass(`${option} must be ${expected}, got ${describe(value)}`);
  return Object.assign(error, { code });
}

export function unknownOptionError(option: string, known: readonly string[]): TypeError {
  const error = new TypeError(`unknown option ${JSON.stringify(option)}; known are ${known.join(", ")}`);
  return Object.assign(error, { code: "ERR_OPTION_UNKNOWN" satisfies OptionErrorCode });
}

/** What may be said of any error in a log line: its code, else its class, never its message, which may quote anything. */
export function faultName(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  if (typeof code === "string") return code;
  return typeof name === "string" ? name : "unknown reason";
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint") return `${value}n`;
  return String(value);
}
