/** What is needed of a chat model, by its shape: models of any copy of `@langchain/core` will do. */
export interface ChatModel {
  // biome-ignore lint/suspicious/noExplicitAny: LangChain's own models differ in these, and each must be taken.
  invoke(input: any, options?: any): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  withStructuredOutput?(schema: any, config?: any): unknown;
}

/**
 * A model that streams by itself does so on `invoke` too (and one client counts tokens with ranks that it downloads): it
 * is built anew from its own arguments, also within what `withConfig` or `withRetry` put around it. The app's object is
 * never changed.
 */
export function notStreaming(model: ChatModel): ChatModel {
  const { streaming, bound } = model as ChatModel & { streaming?: unknown; bound?: ChatModel };
  if (streaming === true) return rebuilt(model, { streaming: false });
  if (typeof bound !== "object" || bound === null) return model;
  const inner = notStreaming(bound);
  return inner === bound ? model : rebuilt(model, { bound: inner });
}

function rebuilt(model: ChatModel, change: object): ChatModel {
  const { lc_kwargs: fields, constructor: Model } = model as ChatModel & { lc_kwargs?: object };
  try {
    return new (Model as new (fields: object) => ChatModel)({ ...fields, ...change });
  } catch {
    return model; // It can't be built from its arguments; then it streams, outside of any run.
  }
}

const reasonFields = ["finish_reason", "finishReason", "stop_reason", "stopReason", "done_reason"] as const;
const cutOffReasons = /^(?:length|model_length|max_?tokens)$/i;

/** Whether the model ended its reply since it had no more tokens. */
export function isCutOff(message: unknown): boolean {
  const { response_metadata: metadata } = (message ?? {}) as { response_metadata?: Record<string, unknown> };
  return reasonFields.some((field) => cutOffReasons.test(String(metadata?.[field])));
}
