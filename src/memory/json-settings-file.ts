import { CachedFile, moveAside, readText, withLock, writeAtomic } from "../files/index.js";
import type { Reporter } from "../log.js";
import type { MemorySettings } from "./memory-settings.js";
import type { MemorySettingsStore } from "./memory-store.js";
import { loadSchemas } from "./schemas.js";

/** `settings.json`: only what a person switched, absent until then. Keys that we don't know stay in it. */
export class JsonSettingsFile implements MemorySettingsStore {
  readonly #path: string;
  readonly #reporter: Reporter;
  readonly #now: () => number;
  readonly #cache: CachedFile<Record<string, unknown> | undefined>;

  constructor(path: string, reporter: Reporter, now: () => number) {
    this.#path = path;
    this.#reporter = reporter;
    this.#now = now;
    this.#cache = new CachedFile(path, parseObject);
  }

  async read(): Promise<Partial<MemorySettings>> {
    const values = await this.readAll();
    return {
      ...("aiMemoryEnabled" in values && { aiMemoryEnabled: values.aiMemoryEnabled as boolean }),
      ...("aiMemoryLimit" in values && { aiMemoryLimit: values.aiMemoryLimit as number }),
    };
  }

  /** All settings that have a usable value; a wrong type is left out, a limit out of range goes to the nearest bound. */
  async readAll(): Promise<Record<string, unknown>> {
    const read = await this.#cache.read().catch((error: NodeJS.ErrnoException) => {
      this.#reporter.warnOnce(
        `unreadable ${this.#path}`,
        `${this.#path} can't be read (${error.code}); defaults hold`,
      );
      return {};
    });
    if (read === undefined) return this.#warnOfBroken(await readText(this.#path));
    const entries = Object.entries(read);
    return entries.length === 0 ? {} : this.#usable(entries);
  }

  change(patch: Record<string, unknown>): Promise<void> {
    return this.#change((former) => ({ ...former, ...patch }));
  }

  /** Changes a list of names as one step that no other process can come between. */
  changeList(name: string, change: (names: readonly string[]) => readonly string[]): Promise<void> {
    return this.#change((former) => {
      const names = former[name];
      return { ...former, [name]: change(Array.isArray(names) ? names : []) };
    });
  }

  #change(change: (former: Record<string, unknown>) => Record<string, unknown>): Promise<void> {
    return withLock(this.#path, async () => {
      const former = parseObject((await readText(this.#path)) ?? "");
      if (former === undefined) await moveAside(this.#path, this.#now());
      await writeAtomic(this.#path, `${JSON.stringify(change(former ?? {}), undefined, 2)}\n`);
    });
  }

  async #usable(entries: [string, unknown][]): Promise<Record<string, unknown>> {
    const { readSetting } = await loadSchemas();
    const usable: Record<string, unknown> = {};
    for (const [name, value] of entries) {
      if (!name.startsWith("ai")) continue;
      const setting = readSetting(name, value);
      const cause = `setting ${name} of ${this.#path}`;
      if (setting === undefined) {
        this.#reporter.warnOnce(cause, `${name} in ${this.#path} has the wrong type and is ignored`);
        continue;
      }
      if (typeof setting === "number" && setting !== value) {
        this.#reporter.warnOnce(cause, `${name} in ${this.#path} is out of range; ${setting} is used`);
      } else {
        this.#reporter.recovered(cause);
      }
      usable[name] = setting;
    }
    return usable;
  }

  #warnOfBroken(text: string | undefined): Record<string, unknown> {
    if (text !== undefined) {
      this.#reporter.warnOnce(`broken ${this.#path}`, `${this.#path} holds no JSON object; defaults hold`);
    }
    return {};
  }
}

/** An empty file has no settings; what is no JSON object is `undefined`. */
function parseObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === "") return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
