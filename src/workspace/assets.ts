import { MemoryError } from "../errors.js";
import type { AssetFolder } from "../prompt-assets/index.js";
import type { WorkspaceSettings } from "./settings.js";

/** A rule or skill file, as a list shows it. */
export interface AssetSummary {
  /** Its identity: a renamed file is another one. */
  readonly filename: string;
  /** From the frontmatter, or the file name without its ending. */
  readonly name: string;
  readonly description: string;
  /** Of the whole file. */
  readonly bytes: number;
  /** Whether it is longer than the budget of a file, so that its end is not injected. */
  readonly truncated: boolean;
  readonly enabled: boolean;
}

/** The user's rules or skills: files that only the user writes. */
export class Assets {
  readonly #folder: AssetFolder;
  readonly #settings: WorkspaceSettings;
  readonly #disabled: "aiRulesDisabled" | "aiSkillsDisabled";

  constructor(
    folder: AssetFolder,
    settings: WorkspaceSettings,
    disabled: "aiRulesDisabled" | "aiSkillsDisabled",
  ) {
    this.#folder = folder;
    this.#settings = settings;
    this.#disabled = disabled;
  }

  /** All usable files, by file name. */
  async list(): Promise<AssetSummary[]> {
    const [assets, settings] = await Promise.all([this.#folder.load(), this.#settings.get()]);
    const disabled = new Set(settings[this.#disabled]);
    return assets.map(({ filename, name, description, bytes, truncated }) => ({
      filename,
      name,
      description,
      bytes,
      truncated,
      enabled: !disabled.has(filename),
    }));
  }

  /**
   * The whole text of a file.
   *
   * @throws MemoryError `ERR_ASSET_NOT_FOUND`.
   */
  read(filename: string): Promise<string> {
    return this.#folder.read(filename);
  }

  /**
   * Switches a file on or off.
   *
   * @throws MemoryError `ERR_ASSET_NOT_FOUND` where there is no such file, `ERR_SETTING_INVALID` where `enabled` is no
   *   boolean.
   */
  async setEnabled(filename: string, enabled: boolean): Promise<void> {
    if (typeof enabled !== "boolean") {
      throw new MemoryError("ERR_SETTING_INVALID", "enabled must be true or false");
    }
    if (!(await this.#folder.has(filename))) {
      throw new MemoryError("ERR_ASSET_NOT_FOUND", "there is no such file in the folder");
    }
    await this.#settings.setDisabled(this.#disabled, (filenames) => {
      const others = filenames.filter((one) => one !== filename);
      return enabled ? others : [...others, filename];
    });
  }

  /** Makes the folder where it is missing and gives its path. */
  directory(): Promise<string> {
    return this.#folder.directory();
  }
}
