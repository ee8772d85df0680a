import type { StoredMessage } from "@langchain/core/messages";

/** A message of a session's own history: one line of `chats/<session>.jsonl`. */
export interface ConversationEntry {
  /** Unique for each line. */
  readonly entryId: string;
  /** The session's id as it is; the file's name is only made from it. */
  readonly session: string;
  readonly message: StoredMessage;
}
