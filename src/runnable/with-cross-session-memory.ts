import type { Runnable, RunnableConfig } from "@langchain/core/runnables";
import { optionError } from "../errors.js";
import { openDoor } from "../workspace/index.js";
import { MemoryRunnable } from "./memory-runnable.js";
import { type OwnRunnableOptions, runnableChecks, type WithCrossSessionMemoryOptions } from "./options.js";

/**
 * Wraps a chain, a chat prompt with what follows, or a bare chat model, so that each run gets the user's rules, skills and
 * memories and the session's conversation, and each completed turn is recorded. Works in `invoke`, `batch`, `stream`
 * and `streamEvents`; a stream is recorded at its end, and not where it was left or failed.
 *
 * The context goes into the first system message of the chat prompt or of the messages that the runnable begins with; a
 * chain that begins otherwise gets it, with the conversation, as the variable `memoryKey`.
 *
 * The session is `configurable.thread_id` (or `sessionId`) of the run, else that of the options.
 *
 * @throws TypeError or RangeError (`code` `ERR_OPTION_…`) that names the option, the value and the range.
 * @example
 * const chat = withCrossSessionMemory(prompt.pipe(model), { workspace });
 * await chat.invoke({ input: "hi" }, { configurable: { thread_id: "1" } });
 */
export function withCrossSessionMemory<Input, Output, CallOptions extends RunnableConfig>(
  runnable: Runnable<Input, Output, CallOptions>,
  options: WithCrossSessionMemoryOptions = {},
): Runnable<Input, Output, CallOptions> {
  if (typeof runnable?.invoke !== "function" || typeof runnable.stream !== "function") {
    throw optionError("ERR_OPTION_TYPE", "runnable", "a LangChain Runnable", runnable);
  }
  const { workspace, own } = openDoor<OwnRunnableOptions>(options, runnableChecks);
  return new MemoryRunnable(runnable, workspace, own);
}
