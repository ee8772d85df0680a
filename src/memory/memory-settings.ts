/** The part of the settings that belongs to a user: the memory switch and the limit. */
export interface MemorySettings {
  readonly aiMemoryEnabled: boolean;
  /** How many memories are kept, 10 to 1000. */
  readonly aiMemoryLimit: number;
}

export const memoryLimitRange = { min: 10, max: 1000 } as const;
