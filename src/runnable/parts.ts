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

/** Those too in which a branch, a map and `RunnablePassthrough.assign` hold theirs: lists and records of runnables. */
function nestedFields(runnable: AnyRunnable): readonly string[] {
  const { branches, default: otherwise, mapper, steps } = runnable as unknown as Fields;
  if (Array.isArray(branches) && isRunnable(otherwise)) return ["branches", "default"];
  if (isRunnable(mapper)) return ["mapper"];
  const isMap = Object.hasOwn(runnable, "steps") && Object.values(steps as object).every(isRunnable);
  return isMap ? ["steps"] : innerFields(runnable);
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

/** All that is in it and holds nothing further. */
export function leavesOf(runnable: AnyRunnable): AnyRunnable[] {
  const fields = nestedFields(runnable);
  return fields.length === 0
    ? [runnable]
    : fields.flatMap((name) => within(field(runnable, name)).flatMap(leavesOf));
}

/** The same runnable with some of its parts replaced; itself and all other parts stay as they are. */
export function withReplaced(
  runnable: AnyRunnable,
  replacements: ReadonlyMap<unknown, AnyRunnable>,
): AnyRunnable {
  const replacement = replacements.get(runnable);
  if (replacement !== undefined) return replacement;
  const fields = nestedFields(runnable);
  if (fields.length === 0) return runnable;
  // A copy keeps what a constructor would have to be told: retries, fallbacks' conditions, tags, names.
  const copy = Object.assign(Object.create(Object.getPrototypeOf(runnable)), runnable) as AnyRunnable &
    Fields;
  for (const name of fields) Object.assign(copy, { [name]: replacedIn(copy[name], replacements) });
  return copy;
}

function replacedIn(value: unknown, replacements: ReadonlyMap<unknown, AnyRunnable>): unknown {
  if (isRunnable(value)) return withReplaced(value, replacements);
  if (Array.isArray(value)) return value.map((one) => replacedIn(one, replacements));
  return Object.fromEntries(
    Object.entries(value as Fields).map(([key, one]) => [key, replacedIn(one, replacements)]),
  );
}

function within(value: unknown): AnyRunnable[] {
  return isRunnable(value) ? [value] : Object.values(value as object).flatMap(within);
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
