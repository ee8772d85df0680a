import type { BaseMessage } from "@langchain/core/messages";
import type { SessionHistory } from "../memory/session-history.js";
import type { RunUser } from "../workspace/index.js";
import { callsTools, conversationOf, isConversation, isReply, lastTurn } from "./said.js";
import type { RunnableShape } from "./shape.js";

/** A turn that has begun: whose it is and what the user said. */
export interface Turn {
  readonly sessionId: string;
  readonly user: RunUser;
  readonly isTemporary: boolean;
  /** `undefined` where it can't be told which of the inputs it is. */
  readonly said: readonly BaseMessage[] | undefined;
  /** `undefined` where nothing is recorded: nobody knows whose it is, or an agent's tool runs it. */
  readonly history: SessionHistory | undefined;
  /** The session so far, as far as this run was given it. */
  before: readonly BaseMessage[];
}

/** Puts a completed turn into the session's history and into the queue of what is to be learned. */
export async function recordTurn(
  { sessionId, user, isTemporary, history, before }: Turn,
  said: readonly BaseMessage[],
  answered: readonly BaseMessage[],
  shape: RunnableShape,
): Promise<void> {
  const { reporter } = user.workspace.parts;
  const conversation = conversationOf(said, answered);
  const turn = lastTurn(conversation);
  const last = turn.at(-1);
  if (said.length === 0 || last === undefined || !turn.some(isReply)) {
    const missing = said.length === 0 ? "its input is empty" : "no answer came out";
    reporter.warnOnce(missing, `a turn is not recorded: ${missing}`);
    return;
  }
  const { aiMemoryEnabled } = await user.workspace.settings.get();
  // An app that runs its tools itself and sends all messages will send this turn again.
  const comesAgain = isConversation(said) && callsTools(last);
  await Promise.all([
    comesAgain ? undefined : history?.add(turn, isTemporary || !aiMemoryEnabled),
    user.workspace.recordTurn(sessionId, [...before, ...conversation], {
      isTemporary,
      // A chat model without a prompt extracts from its own conversations where the workspace has no model.
      ...(shape.kind === "model" && { model: shape.model }),
    }),
  ]);
}
