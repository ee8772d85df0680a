import type { Runnable } from "@langchain/core/runnables";

// biome-ignore lint/suspicious/noExplicitAny: a runnable of any input and output.
export type AnyRunnable = Runnable<any, any>;

type Fields = Record<string, unknown>;

/**
 * What LangChain puts around a runnable, told by shape, since it may come from another copy of LangChain: the fields in
 * which a sequence, `withFallbacks`, and `withConfig`, `bindTools` or `withRetry` hold what they run.
 */
function innerFields(runnable: AnyRunnable): readonly string[] {
  const { first, middle, last, runnable: main, fallbacks, bound, config } = runnable as unknown as Fields;
  if (isRunnable(first) && Array.isArray(middle) && isRunnable(last)) return ["first", "middle", "last"];
  if (isRunnable(main) && Array.isArray(fallbacks)) return ["runnable", "fallbacks"];
  // What maps over a list of inputs has a `bound` too, and no config of its own.
  return isRunnable(bound) && typeof config === "object" && config !== null ? ["bound"] : [];
}

/** The steps of a sequence; the one step that anything else is. */
export function stepsOf(runnable: AnyRunnable): AnyRunnable[] {
  const fields = innerFields(runnable);
  if (fields.includes("bound")) return stepsOf(field(runnable, "bound"));
  return fields.includes("first")
    ? fields.flatMap((name) => list(runnable, name).flatMap(stepsOf))
    : [runnable];
}

/** What may take the input: the first step, or that of each alternative. */
export function startsOf(runnable: AnyRunnable): AnyRunnable[] {
  const [start = runnable] = stepsOf(runnable);
  const fields = innerFields(start);
  return fields.length === 0 ? [start] : fields.flatMap((name) => list(start, name).flatMap(startsOf));
}

/** The same runnable with some of its parts replaced; itself and all other parts stay as they are. */
export function withReplaced(
  runnable: AnyRunnable,
  replacements: ReadonlyMap<unknown, AnyRunnable>,
): AnyRunnable {
  const replacement = replacements.get(runnable);
  if (replacement !== undefined) return replacement;
  const fields = innerFields(runnable);
  if (fields.length === 0) return runnable;
  // A copy keeps what a constructor would have to be told: retries, fallbacks' conditions, tags, names.
  const copy = Object.assign(Object.create(Object.getPrototypeOf(runnable)), runnable) as AnyRunnable &
    Fields;
  for (const name of fields) {
    const inner = list(runnable, name).map((one) => withReplaced(one, replacements));
    Object.assign(copy, { [name]: Array.isArray(copy[name]) ? inner : inner[0] });
  }
  return copy;
}

function list(runnable: AnyRunnable, name: string): AnyRunnable[] {
  return [field(runnable, name)].flat();
}

function field(runnable: AnyRunnable, name: string): AnyRunnable {
  return (runnable as unknown as Fields)[name] as AnyRunnable;
}

function isRunnable(value: unknown): value is AnyRunnable {
  return typeof (value as Partial<AnyRunnable> | undefined)?.invoke === "function";
}
