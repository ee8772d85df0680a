const absent = { type: "null" } as const;

/**
 * A plain JSON schema, and every key in `required`: OpenAI's strict mode refuses a schema with optional keys, and with a
 * validating schema its client takes a reply in another form for a fault of the network and asks up to seven times.
 */
function replySchema(more: Record<string, unknown>): Record<string, unknown> {
  const properties = {
    content: { type: "string" },
    session: { anyOf: [{ type: "number" }, absent] },
    ...more,
  };
  const fact = {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
  return {
    title: "memories",
    type: "object",
    properties: { memories: { type: "array", items: fact } },
    required: ["memories"],
    additionalProperties: false,
  };
}

/** The schema that a model with structured output is given. */
export const extractionReply = replySchema({});

/** The same where facts may replace memories. */
export const consolidatingReply = replySchema({
  replaces: { anyOf: [{ type: "array", items: { type: "number" } }, absent] },
});
