import { resolve } from "node:path";
import { optionError, unknownOptionError } from "../errors.js";
import { locales } from "../locales/index.js";
import { checkLogger } from "../log.js";
import { memoryLimitRange } from "../memory/memory-settings.js";
// This file alone: the selection itself is loaded where one is wanted.
import { checkSelection } from "../selection/check-selection.js";
import {
  boolean,
  fieldOf,
  integer,
  nonEmptyString,
  type OptionCheck,
  objectOf,
  oneOf,
} from "./option-checks.js";
import type { WorkspaceOptions } from "./options.js";

type Optional = "model" | "sharedAssetBudget" | "maxExtractionsPerDay" | "idleExtraction" | "store";
type Required<Options> = { readonly [Key in keyof Options]-?: Exclude<Options[Key], undefined> };

/** The options with their defaults; absent may be only what has none. `dir` is an absolute path. */
export type ResolvedOptions = Required<Omit<WorkspaceOptions, Optional>> & Pick<WorkspaceOptions, Optional>;

const defaults = {
  dir: "./ai",
  locale: "zh-CN",
  enabled: true,
  limit: 100,
  memoryBudget: 8192,
  selection: "newest",
  assetBudget: 16_384,
  assetFileBudget: 8192,
  planBudget: 2048,
  extractionTriggerChars: 4000,
  extractionChunkChars: 24_000,
  extractionKnownChars: 16_000,
  extractionTimeoutMs: 180_000,
  maxWaitingChars: 2_000_000,
  maxConcurrentExtractions: 4,
  toolTurns: "include",
  structuredOutput: "auto",
  consolidate: false,
  review: false,
  nearDuplicates: false,
  logger: console,
} satisfies WorkspaceOptions;

const checks: { readonly [Option in keyof Required<WorkspaceOptions>]: OptionCheck } = {
  dir: nonEmptyString,
  model: chatModel,
  locale: oneOf(Object.keys(locales)),
  enabled: boolean,
  limit: integer(memoryLimitRange.min, memoryLimitRange.max),
  memoryBudget: bytes(),
  selection: checkSelection,
  assetBudget: bytes(),
  assetFileBudget: bytes(),
  planBudget: bytes(),
  sharedAssetBudget: bytes(),
  extractionTriggerChars: integer(1, 1_000_000),
  extractionChunkChars: integer(1, 1_000_000),
  extractionKnownChars: integer(1, 1_000_000),
  extractionTimeoutMs: integer(1, 1_000_000),
  maxWaitingChars: integer(1, 1_000_000_000),
  maxConcurrentExtractions: integer(1, 1000),
  maxExtractionsPerDay: integer(1, 1_000_000),
  idleExtraction,
  toolTurns: oneOf(["include", "user-only"]),
  structuredOutput: oneOf(["auto", "off"]),
  consolidate: boolean,
  review: boolean,
  nearDuplicates: boolean,
  store: memoryStore,
  logger: (_option, value) => checkLogger(value),
};

export const workspaceOptionNames = Object.keys(checks) as readonly (keyof WorkspaceOptions)[];

/**
 * Checks all options at once and fills in the defaults.
 *
 * @throws TypeError or RangeError with `code` `ERR_OPTION_UNKNOWN`, `ERR_OPTION_TYPE` or `ERR_OPTION_RANGE`.
 */
export function resolveOptions(options: WorkspaceOptions): ResolvedOptions {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw optionError("ERR_OPTION_TYPE", "options", "an object", options);
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [option, value] of given) {
    if (!Object.hasOwn(checks, option)) throw unknownOptionError(option, workspaceOptionNames);
    checks[option as keyof WorkspaceOptions](option, value);
  }
  const resolved: ResolvedOptions = { ...defaults, ...Object.fromEntries(given) };
  const { extractionTriggerChars: trigger, extractionChunkChars: chunk } = resolved;
  if (chunk < trigger) {
    const expected = `at least extractionTriggerChars (${trigger})`;
    throw optionError("ERR_OPTION_RANGE", "extractionChunkChars", expected, chunk);
  }
  return { ...resolved, dir: resolve(resolved.dir) };
}

function chatModel(option: string, value: unknown): void {
  if (typeof fieldOf(value, "invoke") !== "function") {
    throw optionError("ERR_OPTION_TYPE", option, "a chat model (an object with invoke)", value);
  }
}

function memoryStore(option: string, value: unknown): void {
  const parts = [
    "memories",
    "replaced",
    "candidates",
    "waiting",
    "sessions",
    "conversations",
    "settings",
    "extraction",
  ];
  const methods = ["forUser", "deleteUser"];
  const isStore =
    parts.every((part) => typeof (fieldOf(value, part) ?? undefined) === "object") &&
    methods.every((method) => typeof fieldOf(value, method) === "function");
  if (!isStore) {
    const expected = `a MemoryStore (an object with ${[...parts, ...methods].join(", ")}); "runtime" is for the middleware`;
    throw optionError("ERR_OPTION_TYPE", option, expected, value);
  }
}

function idleExtraction(option: string, value: unknown): void {
  objectOf({ afterMs: integer(0, 1_000_000_000), minChars: integer(1, 1_000_000) })(option, value);
}

function bytes(): OptionCheck {
  return integer(256, 1024 * 1024);
}
