import { readMessage } from "../messages/chat-message.js";
import { codePointLength, cutMiddle } from "../text/index.js";
import type { SessionMessage } from "./session-history.js";

/** The messages that one request condenses. */
export interface SummaryPart {
  /** Key of the last message that the summary will cover. */
  readonly upTo: string;
  readonly lines: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
}

export interface SummaryLimits {
  readonly triggerChars: number;
  readonly keepMessages: number;
  /** Code points of conversation in one request at most. */
  readonly chunkChars: number;
  /** Stands where the middle of a message was left out. */
  readonly cutMark: string;
}

/**
 * What to condense next, oldest first; `undefined` where nothing is due, or where nothing with words is old enough. Only
 * whole turns: no tool's result is parted from its call, and what stays begins with the user's words.
 *
 * @param messages Those that no summary covers yet.
 */
export function nextSummaryPart(
  messages: readonly SessionMessage[],
  limits: SummaryLimits,
): SummaryPart | undefined {
  const characters = messages.reduce((sum, { message }) => sum + codePointLength(textOf(message)), 0);
  if (characters < limits.triggerChars) return undefined;
  const taken: SessionMessage[] = [];
  let takenCharacters = 0;
  for (const turn of turnsIn(messages.slice(0, endOfOld(messages, limits.keepMessages)))) {
    const spoken = turn.reduce((sum, message) => sum + codePointLength(spokenText(message)), 0);
    if (takenCharacters > 0 && takenCharacters + spoken > limits.chunkChars) break;
    taken.push(...turn);
    takenCharacters += spoken;
  }
  // A private message is on no disk: a restarted process would not find it again.
  const upTo = taken.findLast(({ isPrivate }) => !isPrivate)?.key;
  return upTo === undefined || takenCharacters === 0 ? undefined : { upTo, lines: linesOf(taken, limits) };
}

function linesOf(
  messages: readonly SessionMessage[],
  { chunkChars, cutMark }: SummaryLimits,
): SummaryPart["lines"] {
  const spoken = messages.filter((message) => spokenText(message) !== "");
  const total = spoken.reduce((sum, message) => sum + codePointLength(spokenText(message)), 0);
  // Only a single turn can be longer than a request may be: then each of its messages gets an equal share.
  const share = total > chunkChars ? Math.max(1, Math.floor(chunkChars / spoken.length)) : chunkChars;
  return spoken.map((message) => ({
    role: readMessage(message.message)?.role === "user" ? "user" : "assistant",
    content: cutMiddle(spokenText(message), share, cutMark),
  }));
}

/** Where the messages that stay begin: the newest, and back to the beginning of their turn. */
function endOfOld(messages: readonly SessionMessage[], keepMessages: number): number {
  let end = Math.max(0, messages.length - keepMessages);
  while (end > 0 && !isBoundary(messages, end)) end--;
  return end;
}

function turnsIn(messages: readonly SessionMessage[]): SessionMessage[][] {
  const turns: SessionMessage[][] = [];
  for (const [index, message] of messages.entries()) {
    if (index === 0 || isBoundary(messages, index)) turns.push([]);
    turns.at(-1)?.push(message);
  }
  return turns;
}

/** A turn ends before the user speaks again, or with the conversation, unless a tool has still to answer. */
function isBoundary(messages: readonly SessionMessage[], index: number): boolean {
  const next = messages[index];
  const previous = messages[index - 1];
  if (previous !== undefined && readMessage(previous.message)?.callsTools === true) return false;
  return next === undefined || next.message.getType() === "human";
}

/** The words that may go into a summary. */
function spokenText({ message, isPrivate }: SessionMessage): string {
  const role = readMessage(message)?.role;
  return !isPrivate && (role === "user" || role === "assistant") ? textOf(message) : "";
}

function textOf(message: unknown): string {
  return readMessage(message)?.text ?? "";
}
