/** A message that was said and is not distilled yet: one line of `waiting.jsonl`. */
export interface WaitingEntry {
  /** Unique for each line; message ids are not, since some servers give every reply the same. */
  readonly entryId: string;
  readonly session: string;
  readonly id: string;
  readonly role: "user" | "assistant";
  /** Epoch milliseconds at which it was said. */
  readonly time: number;
  /** With credentials masked. */
  readonly text: string;
}

export interface WaitingTotals {
  /** Unicode code points. */
  readonly characters: number;
  readonly messages: number;
  /** Epoch milliseconds of the session's last message. */
  readonly lastTime: number;
}
