/** What a selection looks at; a `MemoryItem` is one. */
export interface SelectableMemory {
  readonly content: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Stays in whatever is asked, as long as the pinned ones alone fit the budget. */
  readonly pinned?: boolean | undefined;
}

/** What a line of the prompt takes beside the memory: `- ` and the line break. */
const lineFrame = 3;

/** Bytes of a memory's line, in UTF-8. */
export function lineBytes({ content }: SelectableMemory): number {
  return Buffer.byteLength(content) + lineFrame;
}
