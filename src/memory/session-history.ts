import type { BaseMessage } from "@langchain/core/messages";

/** A message of a session's history. */
export interface SessionMessage {
  /** Finds the message again, for the cursor of the rolling summary; no other message of the history has it. */
  readonly key: string;
  readonly message: BaseMessage;
  /** Said while memory was off: in this process only, and in no summary. */
  readonly isPrivate: boolean;
}

/** The conversation of one session, wherever it is kept. */
export interface SessionHistory {
  /** In the order in which it was said. */
  read(): Promise<readonly SessionMessage[]>;
  /** @param isPrivate Keeps the messages in this process only. */
  add(messages: readonly BaseMessage[], isPrivate: boolean): Promise<void>;
  clear(): Promise<void>;
}
