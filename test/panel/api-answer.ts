import type { MemoryItem } from "../../src/index.js";

/** All that an answer of the page's API may hold; a test looks at what it expects. */
export interface ApiAnswer {
  readonly memories: readonly MemoryItem[];
  readonly waiting: { readonly characters: number; readonly messages: number; readonly sessions: number };
  readonly sessions: readonly unknown[];
  readonly rules: readonly unknown[];
  readonly budgets: readonly { readonly bytes: number; readonly leftOut: readonly unknown[] }[];
  readonly canOpenFolders: boolean;
  readonly item: MemoryItem;
  readonly isNew: boolean;
  readonly blocks: readonly unknown[];
}

export async function readAnswer(response: Response): Promise<ApiAnswer> {
  return (await response.json()) as ApiAnswer;
}
