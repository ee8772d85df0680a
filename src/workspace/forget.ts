import { withForgotten } from "../memory/forgotten.js";
import type { MemoryItem } from "../memory/memory-item.js";
import type { ExtractionStates } from "../memory/memory-store.js";
import type { Environment } from "./environment.js";

export interface ForgetParts {
  /** Keeps what was deleted, so that it is not learned again from what was said before. */
  readonly states: ExtractionStates;
  readonly environment: Environment;
}

/**
 * Notes that a person doesn't want these words any more; called before they go.
 *
 * @param options.forGood Not from what is said later either. Default: false.
 */
export async function forget(
  items: readonly MemoryItem[],
  { states, environment }: ForgetParts,
  { forGood = false }: { readonly forGood?: boolean } = {},
): Promise<void> {
  if (items.length === 0) return;
  const contents = items.map(({ content }) => content);
  await states.change((state) => ({
    ...state,
    forgotten: withForgotten(state.forgotten, contents, {
      at: environment.now(),
      newSalt: environment.randomUUID(),
      forGood,
    }),
  }));
}
