import { join } from "node:path";
import { AsyncCaller } from "@langchain/core/utils/async_caller";
import { type Locale, locales } from "../locales/index.js";
import { Reporter, type SharedRoot } from "../log.js";
import { ExtractionModelCall } from "../memory/extraction/model-call.js";
import { JsonMemoryStore } from "../memory/json-memory-store.js";
import { JsonSettingsFile } from "../memory/json-settings-file.js";
import type { MemoryStore } from "../memory/memory-store.js";
import { AssetFolder } from "../prompt-assets/index.js";
import { Background } from "./background.js";
import type { Environment } from "./environment.js";
import type { ResolvedOptions } from "./resolve-options.js";
import { SessionChoices } from "./session-choices.js";

/** What the workspace of an app and those of its users have in common. */
export interface SharedParts {
  readonly options: ResolvedOptions;
  readonly environment: Environment;
  readonly locale: Locale;
  readonly reporter: Reporter;
  readonly background: Background;
  readonly modelCall: ExtractionModelCall;
  readonly extractionCaller: AsyncCaller;
  readonly rules: AssetFolder;
  readonly skills: AssetFolder;
  /** The app's own `settings.json`. */
  readonly settingsFile: JsonSettingsFile;
  /** The home of the app's own memories, and of its users'. */
  readonly store: MemoryStore;
  /** Which memories each session has in its prompt. */
  readonly sessionChoices: SessionChoices;
  readonly isClosed: () => boolean;
  readonly close: () => void;
}

/** What fails together where a store of the app's own is down; files fail one by one. */
const downStore: SharedRoot = {
  causes: ["memory settings", "reading memories", "seen messages", "queue", "queue totals", "recording"],
  followers: ["history ", "writing history ", "passing over", "extraction store"],
};

/** The same parts over another home. */
export function partsOver(parts: SharedParts, store: MemoryStore): SharedParts {
  return { ...parts, store, reporter: new Reporter(parts.options.logger, downStore) };
}

export function makeSharedParts(options: ResolvedOptions, environment: Environment): SharedParts {
  const { dir, assetFileBudget, extractionTimeoutMs: timeoutMs, structuredOutput, consolidate } = options;
  const locale = locales[options.locale];
  const reporter = new Reporter(options.logger, options.store === undefined ? undefined : downStore);
  const files =
    options.store === undefined ? new JsonMemoryStore({ dir, now: environment.now }, reporter) : undefined;
  const folder = (kind: "rules" | "skills") =>
    new AssetFolder({ directory: join(dir, kind), kind, fileBudget: assetFileBudget, reporter, locale });
  let isClosed = false;
  return {
    options,
    environment,
    locale,
    reporter,
    background: new Background(() => reporter.errorOnce("background", "background work failed unexpectedly")),
    modelCall: new ExtractionModelCall({ timeoutMs, structuredOutput, consolidate }),
    extractionCaller: new AsyncCaller({ maxConcurrency: options.maxConcurrentExtractions, maxRetries: 0 }),
    rules: folder("rules"),
    skills: folder("skills"),
    settingsFile:
      files?.settings ?? new JsonSettingsFile(join(dir, "settings.json"), reporter, environment.now),
    store: options.store ?? (files as MemoryStore),
    sessionChoices: new SessionChoices(),
    isClosed: () => isClosed,
    close: () => {
      isClosed = true;
    },
  };
}
