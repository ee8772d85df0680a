import type { Runnable } from "@langchain/core/runnables";
import { openDoor } from "../workspace/index.js";
import { MemoryRunnable } from "./memory-runnable.js";
import { type OwnRunnableOptions, runnableChecks, type WithCrossSessionMemoryOptions } from "./options.js";

/**
 * Wraps a chain, a chat prompt with what follows, or a bare chat model, so that each run gets the user's rules, skills and
 * memories and the session's conversation, and each completed turn is recorded. Works in `invoke`, `batch`, `stream`
 * and `streamEvents`; a stream is recorded at its end, and not where it was left or failed.
 *
 * The session is `configurable.thread_id` (or `sessionId`) of the run, else that of the options.
 *
 * @throws TypeError or RangeError (`code` `ERR_OPTION_…`) that names the option, the value and the range.
 * @example
 * const chat = withCrossSessionMemory(prompt.pipe(model), { workspace });
 * await chat.invoke({ input: "hi" }, { configurable: { thread_id: "1" } });
 */
export function withCrossSessionMemory<Input, Output>(
  runnable: Runnable<Input, Output>,
  options: WithCrossSessionMemoryOptions = {},
): Runnable<Input, Output> {
  const { workspace, own } = openDoor<OwnRunnableOptions>(options, runnableChecks);
  return new MemoryRunnable(runnable, workspace, own);
}
