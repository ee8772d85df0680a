import { contentKey, globalScope } from "./memory-item.js";
import { memoryLimitRange } from "./memory-settings.js";
import { type MemorySource, readSource } from "./memory-source.js";

/**
 * What files must look like. The library that checks them takes 25 ms to load, so it comes with the first file
 * that is read and not with the package; its types stay in here, so that an app with another version compiles.
 */
export interface Schemas {
  /** The usable parts of an entry of `memory.json`; `undefined` where it is no memory. */
  readonly readStoredItem: (value: unknown) => StoredItem | undefined;
  readonly settingNames: readonly string[];
  /** The value if it has the type of that setting, a limit within its range; `undefined` otherwise. */
  readonly readSetting: (name: string, value: unknown) => unknown;
}

export interface StoredItem {
  readonly id: string;
  readonly content: string;
  readonly createdAt: number | undefined;
  readonly sourceScope: string;
  readonly pinned?: true;
  readonly source?: MemorySource;
}

let loading: Promise<Schemas> | undefined;

export function loadSchemas(): Promise<Schemas> {
  loading ??= makeSchemas();
  return loading;
}

async function makeSchemas(): Promise<Schemas> {
  const { z } = await import("zod/v4");

  const time = z.union([z.number(), z.string().transform((text) => Date.parse(text))]);
  const storedItem = z.object({
    id: z.string().min(1),
    content: z.string().refine((content) => contentKey(content) !== ""),
    createdAt: time.pipe(z.number()).optional().catch(undefined),
    sourceScope: z.string().min(1).catch(globalScope),
    pinned: z.unknown().optional(),
    source: z.unknown().optional(),
  });

  const names = z.array(z.string());
  const settings: Record<string, { safeParse(value: unknown): { success: boolean; data?: unknown } }> = {
    aiMemoryEnabled: z.boolean(),
    aiMemoryLimit: z.number().transform(nearestLimit),
    aiRulesEnabled: z.boolean(),
    aiSkillsEnabled: z.boolean(),
    aiRulesDisabled: names,
    aiSkillsDisabled: names,
  };

  return {
    readStoredItem: (value) => {
      const { data } = storedItem.safeParse(value);
      if (data === undefined) return undefined;
      const { createdAt, pinned, source: rawSource, ...item } = data;
      const source = readSource(rawSource);
      return { ...item, createdAt, ...(pinned === true && { pinned }), ...(source && { source }) };
    },
    settingNames: Object.keys(settings),
    readSetting: (name, value) => settings[name]?.safeParse(value).data,
  };
}

function nearestLimit(limit: number): number {
  return Math.round(Math.min(memoryLimitRange.max, Math.max(memoryLimitRange.min, limit)));
}
