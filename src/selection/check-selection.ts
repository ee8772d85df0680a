import { optionError } from "../errors.js";

/** @throws TypeError or RangeError with `code` `ERR_OPTION_TYPE` or `ERR_OPTION_RANGE`. */
export function checkSelection(option: string, value: unknown): void {
  if (value === "newest" || value === "relevant" || typeof value === "function") return;
  const code = typeof value === "string" ? "ERR_OPTION_RANGE" : "ERR_OPTION_TYPE";
  throw optionError(code, option, '"newest", "relevant" or a function', value);
}
