import { optionError, unknownOptionError } from "../errors.js";

/** Throws where a value is not what the option takes. */
export type OptionCheck = (option: string, value: unknown) => void;

export function integer(min: number, max: number): OptionCheck {
  return (option, value) => {
    const expected = `an integer from ${min} to ${max}`;
    if (typeof value !== "number") throw optionError("ERR_OPTION_TYPE", option, expected, value);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw optionError("ERR_OPTION_RANGE", option, expected, value);
    }
  };
}

export function boolean(option: string, value: unknown): void {
  if (typeof value !== "boolean") throw optionError("ERR_OPTION_TYPE", option, "true or false", value);
}

export function nonEmptyString(option: string, value: unknown): void {
  if (typeof value !== "string") throw optionError("ERR_OPTION_TYPE", option, "a non-empty string", value);
  if (value === "") throw optionError("ERR_OPTION_RANGE", option, "a non-empty string", value);
}

export function oneOf(allowed: readonly string[]): OptionCheck {
  return (option, value) => {
    const expected = allowed.map((one) => JSON.stringify(one)).join(" or ");
    if (typeof value !== "string") throw optionError("ERR_OPTION_TYPE", option, expected, value);
    if (!allowed.includes(value)) throw optionError("ERR_OPTION_RANGE", option, expected, value);
  };
}

/** An object of exactly these keys, each of which must be there. */
export function objectOf(keys: Readonly<Record<string, OptionCheck>>): OptionCheck {
  const known = Object.keys(keys);
  return (option, value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw optionError("ERR_OPTION_TYPE", option, `an object with ${known.join(" and ")}`, value);
    }
    for (const key of Object.keys(value)) {
      if (!known.includes(key)) throw unknownOptionError(`${option}.${key}`, known);
    }
    for (const [key, check] of Object.entries(keys)) check(`${option}.${key}`, fieldOf(value, key));
  };
}

/** An object with these methods, told by its shape: it may come from another copy of a package. */
export function withMethods(expected: string, methods: readonly string[]): OptionCheck {
  return (option, value) => {
    if (!methods.every((method) => typeof fieldOf(value, method) === "function")) {
      throw optionError("ERR_OPTION_TYPE", option, expected, value);
    }
  };
}

export function functionOf(expected: string): OptionCheck {
  return (option, value) => {
    if (typeof value !== "function") throw optionError("ERR_OPTION_TYPE", option, expected, value);
  };
}

export function textOrFunction(option: string, value: unknown): void {
  if (typeof value !== "string" && typeof value !== "function") {
    throw optionError("ERR_OPTION_TYPE", option, "a string or a function that gives one", value);
  }
}

export function fieldOf(value: unknown, field: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[field] : undefined;
}
