/** PostgreSQL's `jsonb` refuses NUL characters and halves of a surrogate pair, which any text may hold. */
const unstorable = /\\u0000|\\ud[89a-f]/i;

/** A value as one JSON text: safe in every store, and one entry in an index over the parts of values. */
export function packed(value: unknown): Record<string, unknown> {
  return { packed: JSON.stringify(value) };
}

/** A value by its own keys under `name`, so that it can be read and searched for; packed where it can't be stored so. */
export function plain(name: string, value: object): Record<string, unknown> {
  const text = JSON.stringify(value);
  return unstorable.test(text) ? { packed: text } : { [name]: JSON.parse(text) };
}

/** What {@link packed} or {@link plain} made; `undefined` for anything else. */
export function unpacked(value: Record<string, unknown>, name = ""): unknown {
  if (typeof value.packed !== "string") return value[name];
  try {
    return JSON.parse(value.packed);
  } catch {
    return undefined;
  }
}
