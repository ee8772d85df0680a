import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import type { Reporter } from "../log.js";
import { globalScope } from "../memory/memory-item.js";

/** What is read of a run's config, by its shape. */
export interface RunConfig {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly context?: unknown;
  /** Writes custom stream events; one object for a whole run. */
  readonly writer?: unknown;
  /** The store that the agent was made with. */
  readonly store?: unknown;
}

/** The config of the run that is going on, as LangChain hands it down; `undefined` outside of one. */
export function currentRunConfig(): RunConfig | undefined {
  return AsyncLocalStorageProviderSingleton.getRunnableConfig() as RunConfig | undefined;
}

/** A run with `configurable.memory: "off"` is not recorded, nor learned from, and gets no memories. */
export function isTemporaryRun(config: RunConfig | undefined): boolean {
  return config?.configurable?.memory === "off";
}

/** `configurable.thread_id`, or `sessionId`; `undefined` where neither is a non-empty string or a number. */
export function sessionOf(config: RunConfig | undefined): string | undefined {
  const { thread_id: threadId, sessionId } = config?.configurable ?? {};
  const id = [threadId, sessionId].find(
    (one) => (typeof one === "string" && one !== "") || (typeof one === "number" && Number.isFinite(one)),
  );
  return id === undefined ? undefined : String(id);
}

/** The session of a run that may have none: all such runs share one, which is warned of once. */
export function sessionOrGlobal(config: RunConfig | undefined, reporter: Reporter): string {
  const session = sessionOf(config);
  if (session !== undefined) return session;
  reporter.warnOnce(
    "no thread id",
    `a run has no configurable.thread_id (a non-empty string or a number): its session is "${globalScope}"`,
  );
  return globalScope;
}
