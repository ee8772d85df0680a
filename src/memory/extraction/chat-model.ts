/** What is needed of a chat model, by its shape: models of any copy of `@langchain/core` will do. */
export interface ChatModel {
  // biome-ignore lint/suspicious/noExplicitAny: LangChain's own models differ in these, and each must be taken.
  invoke(input: any, options?: any): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  withStructuredOutput?(schema: any, config?: any): unknown;
}

/**
 * A model that streams by itself does so on `invoke` too (and one client counts tokens with ranks that it downloads): it
 * is built anew from its own arguments. The app's object is never changed.
 */
export function notStreaming(model: ChatModel): ChatModel {
  const { streaming, lc_kwargs: kwargs, constructor: Model } = model as ChatModel & Record<string, unknown>;
  if (streaming !== true || typeof Model !== "function") return model;
  try {
    return new (Model as new (fields: object) => ChatModel)({ ...(kwargs as object), streaming: false });
  } catch {
    return model; // It can't be built from its arguments; then it streams, outside of any run.
  }
}

/** Whether the model ended its reply since it had no more tokens. */
export function isCutOff(message: unknown): boolean {
  const { response_metadata: metadata } = (message ?? {}) as { response_metadata?: Record<string, unknown> };
  const reasons = [metadata?.finish_reason, metadata?.stop_reason, metadata?.finishReason];
  return reasons.some((reason) => reason === "length" || reason === "max_tokens" || reason === "MAX_TOKENS");
}
