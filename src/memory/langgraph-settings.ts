import type { NowReader } from "./langgraph-now.js";
import { nowParts } from "./langgraph-now.js";
import { packed } from "./langgraph-packed.js";
import { switchKeys, switchOf } from "./langgraph-switches.js";
import type { MemorySettings } from "./memory-settings.js";
import type { MemorySettingsStore } from "./memory-store.js";
import { loadSchemas } from "./schemas.js";

const names = ["aiMemoryEnabled", "aiMemoryLimit"] as const;

/** The memory switch and the limit of a user, one item each. */
export class LangGraphSettings implements MemorySettingsStore {
  readonly #now: NowReader;

  constructor(now: NowReader) {
    this.#now = now;
  }

  async read(): Promise<Partial<MemorySettings>> {
    // Asked before anything is waited for, so that it goes with what else is asked for now.
    const reading = this.#now.read(nowParts.switches);
    const [switches, { readSetting }] = await Promise.all([reading, loadSchemas()]);
    const settings = names.map((name) => {
      const stored = switchOf(switches, switchKeys.setting(name));
      return [name, stored === undefined ? undefined : readSetting(name, stored)] as const;
    });
    return Object.fromEntries(settings.filter(([, value]) => value !== undefined));
  }

  async change(patch: Partial<MemorySettings>): Promise<void> {
    const { items, place } = this.#now;
    for (const name of names) {
      const value = patch[name];
      if (value === undefined) continue;
      const key = switchKeys.setting(name);
      await items.put(place, { key, value: packed(value), part: nowParts.switches });
    }
  }
}
