import { ChatPromptValue } from "@langchain/core/prompt_values";
import { RunnableBinding, RunnableLambda, RunnableSequence } from "@langchain/core/runnables";
import { foldContext } from "../messages/fold-context.js";
import { type AnyRunnable, boundOf, type PromptValue, stepsOf } from "./shape.js";

/**
 * The same chain with a step behind its prompt that folds the context in. What the prompt made is changed, not its
 * template: braces in a memory are never read as variables.
 */
export function withFoldedContext(runnable: AnyRunnable, context: string): AnyRunnable {
  const bound = boundOf(runnable);
  if (bound !== undefined) {
    const { config, kwargs, configFactories } = runnable as unknown as ConstructorParameters<
      typeof RunnableBinding
    >[0];
    const folded = withFoldedContext(bound, context);
    return new RunnableBinding({
      bound: folded,
      config,
      ...(kwargs !== undefined && { kwargs }),
      ...(configFactories !== undefined && { configFactories }),
    });
  }
  const fold = RunnableLambda.from((value: PromptValue) => {
    return new ChatPromptValue(foldContext(value.toChatMessages(), context));
  }).withConfig({ runName: "memory_context" });
  const [prompt = runnable, ...rest] = stepsOf(runnable) ?? [];
  const steps = [fold, ...rest];
  const { name } = runnable;
  return new RunnableSequence({
    first: prompt,
    middle: steps.slice(0, -1),
    last: steps.at(-1) as AnyRunnable,
    ...(name !== undefined && { name }),
  });
}
