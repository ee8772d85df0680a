import { faultName } from "../errors.js";
import { CachedFile, moveAside, readText, withLock, writeAtomic } from "../files/index.js";
import type { Reporter } from "../log.js";
import { type MemorySettings, memoryLimitRange } from "./memory-settings.js";
import type { MemorySettingsStore } from "./memory-store.js";
import { loadSchemas } from "./schemas.js";

type Fields = Readonly<Record<string, unknown>>;

/** `settings.json`: only what a person switched, absent until then. Keys that we don't know stay in it. */
export class JsonSettingsFile implements MemorySettingsStore {
  readonly #path: string;
  readonly #reporter: Reporter;
  readonly #now: () => number;
  readonly #cache: CachedFile<Fields | "broken">;
  /** What could last be read: a memory that was switched off stays off while the file is in the way. */
  #latest: Fields = {};

  constructor(path: string, reporter: Reporter, now: () => number) {
    this.#path = path;
    this.#reporter = reporter;
    this.#now = now;
    this.#cache = new CachedFile(path, parseObject);
  }

  async read(): Promise<Partial<MemorySettings>> {
    const { aiMemoryEnabled, aiMemoryLimit } = await this.readAll();
    return {
      ...(aiMemoryEnabled !== undefined && { aiMemoryEnabled: aiMemoryEnabled as boolean }),
      ...(aiMemoryLimit !== undefined && { aiMemoryLimit: aiMemoryLimit as number }),
    };
  }

  /**
   * All settings that have a usable value; a wrong type is left out, a limit out of range goes to the nearest bound. Never
   * rejects: a file that can't be read or used is warned of once, and what was read before holds on.
   */
  async readAll(): Promise<Fields> {
    const unreadable = `unreadable ${this.#path}`;
    try {
      const fields = (await this.#cache.read()) ?? {};
      this.#reporter.recovered(unreadable);
      if (fields === "broken") this.#warnOfBroken();
      else this.#latest = await this.#usable(fields);
    } catch (error) {
      this.#reporter.warnOnce(
        unreadable,
        `${this.#path} can't be read (${faultName(error)}); what was set before, or the defaults, hold`,
      );
    }
    return this.#latest;
  }

  change(patch: Fields): Promise<void> {
    return this.#change((former) => ({ ...former, ...patch }));
  }

  /** Changes a list of names as one step that no other process can come between. */
  changeList(name: string, change: (names: readonly string[]) => readonly string[]): Promise<void> {
    return this.#change((former) => ({ ...former, [name]: change(namesIn(former[name])) }));
  }

  #change(change: (former: Fields) => Fields): Promise<void> {
    return withLock(this.#path, async () => {
      const former = parseObject((await readText(this.#path)) ?? "");
      const changed = change(former === "broken" ? this.#latest : former);
      if (former === "broken") {
        this.#warnOfBroken();
        await moveAside(this.#path, this.#now());
        this.#reporter.recovered(this.#brokenCause);
      }
      await writeAtomic(this.#path, `${JSON.stringify(changed, undefined, 2)}\n`);
    });
  }

  async #usable(fields: Fields): Promise<Fields> {
    this.#reporter.recovered(this.#brokenCause);
    if (Object.keys(fields).length === 0) return {};
    const { settingNames, readSetting } = await loadSchemas();
    return Object.fromEntries(
      settingNames
        .map((name) => [name, this.#judged(name, fields[name], readSetting(name, fields[name]))] as const)
        .filter(([, setting]) => setting !== undefined),
    );
  }

  /** Gives the setting, and says where it is not what the file holds. */
  #judged(name: string, value: unknown, setting: unknown): unknown {
    const cause = `setting ${name} of ${this.#path}`;
    const isMoved = typeof setting === "number" && setting !== value;
    if (value !== undefined && setting === undefined) {
      this.#reporter.warnOnce(cause, `${name} in ${this.#path} has the wrong type and is ignored`);
    } else if (isMoved) {
      const { min, max } = memoryLimitRange;
      this.#reporter.warnOnce(
        cause,
        `${name} in ${this.#path} must be an integer from ${min} to ${max}; ${setting} is used`,
      );
    } else {
      this.#reporter.recovered(cause);
    }
    return setting;
  }

  #warnOfBroken(): void {
    this.#reporter.warnOnce(
      this.#brokenCause,
      `${this.#path} holds no JSON object; what was set before, or the defaults, hold, and it will be moved aside before it is written`,
    );
  }

  get #brokenCause(): string {
    return `broken file ${this.#path}`;
  }
}

/** An empty file has no settings. */
function parseObject(text: string): Fields | "broken" {
  if (text.trim() === "") return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Fields)
      : "broken";
  } catch {
    return "broken";
  }
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}
