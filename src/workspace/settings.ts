import { faultName, MemoryError } from "../errors.js";
import type { Reporter } from "../log.js";
import type { JsonSettingsFile } from "../memory/json-settings-file.js";
import { type MemorySettings, memoryLimitRange } from "../memory/memory-settings.js";
import type { MemorySettingsStore } from "../memory/memory-store.js";
import type { ResolvedOptions } from "./resolve-options.js";

/** What a person switches, under the keys of `settings.json`. */
export interface Settings extends MemorySettings {
  readonly aiRulesEnabled: boolean;
  readonly aiSkillsEnabled: boolean;
  /** File names that are switched off. */
  readonly aiRulesDisabled: readonly string[];
  readonly aiSkillsDisabled: readonly string[];
}

/** Reads and changes the settings: a key that was switched wins over the option of the constructor. */
export class WorkspaceSettings {
  readonly #options: Pick<ResolvedOptions, "enabled" | "limit">;
  readonly #memorySettings: MemorySettingsStore;
  readonly #file: JsonSettingsFile;
  readonly #reporter: Reporter;
  /** One file holds both, where neither users nor another store part them. */
  readonly #isOneFile: boolean;
  #latestMemorySettings: Partial<MemorySettings> = {};

  /** @param file The app's `settings.json`: the switches of rules and skills are there, for all users and stores. */
  constructor(
    options: Pick<ResolvedOptions, "enabled" | "limit">,
    memorySettings: MemorySettingsStore,
    file: JsonSettingsFile,
    reporter: Reporter,
  ) {
    this.#options = options;
    this.#memorySettings = memorySettings;
    this.#file = file;
    this.#reporter = reporter;
    this.#isOneFile = (memorySettings as unknown) === file;
  }

  /** All settings. Never rejects: what can't be read holds as it was read last, or by its default. */
  async get(): Promise<Settings> {
    // Asked at one moment, so that a store over a network answers by one query.
    const ofStore = this.#isOneFile ? undefined : this.#readMemorySettings();
    const file = await this.#file.readAll();
    const memorySettings = await ofStore;
    const memoryDefaults = {
      aiMemoryEnabled: this.#options.enabled,
      aiMemoryLimit: this.#options.limit,
    };
    return {
      ...memoryDefaults,
      aiRulesEnabled: true,
      aiSkillsEnabled: true,
      aiRulesDisabled: [],
      aiSkillsDisabled: [],
      ...file,
      // The switch and limit of the app's own file are nothing to a user or another store.
      ...(memorySettings && { ...memoryDefaults, ...memorySettings }),
    };
  }

  /**
   * Switches what the patch names and leaves the rest. A lowered limit evicts at the next save.
   *
   * @throws MemoryError `ERR_SETTING_INVALID` for an unknown key, a wrong type or a limit out of range.
   */
  async update(patch: Partial<Settings>): Promise<void> {
    if (typeof patch !== "object" || patch === null || Array.isArray(patch)) {
      throw new MemoryError("ERR_SETTING_INVALID", "settings must be an object");
    }
    for (const [name, value] of Object.entries(patch)) checkSetting(name, value);
    if (this.#isOneFile) return this.#file.change({ ...patch });
    const { aiMemoryEnabled, aiMemoryLimit, ...assets } = patch;
    const memory = {
      ...(aiMemoryEnabled !== undefined && { aiMemoryEnabled }),
      ...(aiMemoryLimit !== undefined && { aiMemoryLimit }),
    };
    if (Object.keys(memory).length > 0) await this.#memorySettings.change(memory);
    if (Object.keys(assets).length > 0) await this.#file.change(assets);
  }

  /** Changes a list of names as one step, so that two switches at once both hold. */
  async setDisabled(
    name: "aiRulesDisabled" | "aiSkillsDisabled",
    change: (filenames: readonly string[]) => readonly string[],
  ): Promise<void> {
    await this.#file.changeList(name, change);
  }

  async #readMemorySettings(): Promise<Partial<MemorySettings>> {
    const cause = "memory settings";
    try {
      this.#latestMemorySettings = await this.#memorySettings.read();
      this.#reporter.recovered(cause);
    } catch (error) {
      this.#reporter.warnOnce(
        cause,
        `the store of memories can't be read (${faultName(error)}); conversations go on with the settings that held before, and without what can't be read`,
      );
    }
    return this.#latestMemorySettings;
  }
}

const kinds: Record<
  keyof Settings,
  { readonly expected: string; readonly fits: (value: unknown) => boolean }
> = {
  aiMemoryEnabled: { expected: "true or false", fits: isBoolean },
  aiMemoryLimit: {
    expected: `an integer from ${memoryLimitRange.min} to ${memoryLimitRange.max}`,
    fits: (value) =>
      typeof value === "number" &&
      Number.isInteger(value) &&
      value >= memoryLimitRange.min &&
      value <= memoryLimitRange.max,
  },
  aiRulesEnabled: { expected: "true or false", fits: isBoolean },
  aiSkillsEnabled: { expected: "true or false", fits: isBoolean },
  aiRulesDisabled: { expected: "an array of file names", fits: isNames },
  aiSkillsDisabled: { expected: "an array of file names", fits: isNames },
};

const settingNames = Object.keys(kinds) as readonly (keyof Settings)[];

function checkSetting(name: string, value: unknown): void {
  if (!Object.hasOwn(kinds, name)) {
    throw new MemoryError("ERR_SETTING_INVALID", `unknown setting; known are ${settingNames.join(", ")}`);
  }
  const { expected, fits } = kinds[name as keyof Settings];
  if (!fits(value)) throw new MemoryError("ERR_SETTING_INVALID", `${name} must be ${expected}`);
}

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
