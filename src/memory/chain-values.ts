/** What a chain is called with for its model, beside what was said. */
const callOptions = new Set([
  "callbacks",
  "function_call",
  "functions",
  "metadata",
  "options",
  "promptIndex",
  "reasoning",
  "reasoning_effort",
  "response_format",
  "seed",
  "service_tier",
  "signal",
  "stop",
  "tags",
  "timeout",
  "tool_choice",
  "tools",
]);

/** The names under which something may have been said; none for what is no object with names. */
export function spokenKeys(values: unknown, memoryKey: string): string[] {
  if (typeof values !== "object" || values === null || Array.isArray(values)) return [];
  const keys = Object.keys(values).filter((key) => key !== memoryKey);
  const spoken = keys.filter((key) => !callOptions.has(key));
  return spoken.length > 0 ? spoken : keys;
}

/** The one key whose value was said, or why that can't be told. */
export function spokenKey(
  values: unknown,
  {
    option,
    memoryKey,
    key,
  }: { option: "inputKey" | "outputKey"; memoryKey: string; key?: string | undefined },
): { readonly key: string } | { readonly problem: string } {
  const keys = spokenKeys(values, memoryKey);
  const chosen = key ?? (keys.length === 1 ? keys[0] : undefined);
  if (chosen !== undefined && Object.hasOwn(Object(values), chosen)) return { key: chosen };
  const kind = option === "inputKey" ? "inputs" : "outputs";
  const found = keys.length === 0 ? "none" : keys.join(", ");
  const wanted = key === undefined ? "" : `, none of which is ${JSON.stringify(key)}`;
  return { problem: `its ${kind} are ${found}${wanted}; set ${option}` };
}

/** Before a model is paid: behind the answer nothing may throw any more. */
export function severalInputsError(keys: readonly string[]): Error {
  return Object.assign(
    new Error(
      `the chain has several inputs (${keys.join(", ")}): set inputKey to the one that the user said`,
    ),
    { code: "ERR_SEVERAL_INPUTS" },
  );
}
