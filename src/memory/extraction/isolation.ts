import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Runs work outside whatever run is going on. LangChain hands a run's callbacks and abort signal on by its async context,
 * also to what outlives the run: a background call would show up in the app's stream and be aborted with it. The
 * context is taken when the module loads, before any run.
 */
export const outsideOfRuns: <Result>(work: () => Result) => Result = AsyncLocalStorage.snapshot();
