import type { BaseMessage, SystemMessage } from "@langchain/core/messages";
import { isSummary, readMessage } from "../messages/chat-message.js";
import { splitSystem, withContext } from "../messages/fold-context.js";

/** What is changed of a model request. Older versions of `langchain` have no `systemMessage`, only the prompt's text. */
export interface PromptRequest {
  readonly messages: BaseMessage[];
  readonly systemMessage?: SystemMessage | undefined;
  readonly systemPrompt?: string | undefined;
}

/**
 * The summary that LangChain's `summarizationMiddleware` put among the messages, where it can move to the fourth segment:
 * what comes next must be the user's, for a conversation has to begin with the user.
 */
export function takeSummary(messages: readonly BaseMessage[]): { summary?: string; rest: BaseMessage[] } {
  const index = messages.findIndex(isSummary);
  const next = messages[index + 1];
  if (index === -1 || next === undefined || readMessage(next)?.role !== "user")
    return { rest: [...messages] };
  const rest = messages.filter((_, position) => position !== index);
  return { summary: readMessage(messages[index])?.text ?? "", rest };
}

/** The request with the context behind the app's own prompt; only the system message and the messages change. */
export function withPrompt<Request extends PromptRequest>(
  request: Request,
  context: string,
  messages: BaseMessage[],
): Request {
  if (!("systemMessage" in request)) {
    const { systemPrompt = "" } = request;
    return {
      ...request,
      messages,
      systemPrompt: systemPrompt === "" ? context : `${systemPrompt}\n\n${context}`,
    };
  }
  const { system, rest } = splitSystem(request.systemMessage, messages);
  return { ...request, messages: rest, systemMessage: withContext(system, context) };
}
