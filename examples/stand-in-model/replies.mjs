/** How the stand-in writes a reply: whole or streamed, as text, as structured output or as a tool call. */

export const modelName = "stand-in-model";

/**
 * Facts in the form that the request asks for: with a JSON schema or a tool that must be called, an object that holds
 * the list under the schema's own key; otherwise a plain JSON array.
 */
export function writeFacts(facts, body) {
  if (body.response_format?.type === "json_schema") {
    return { content: JSON.stringify(fill(body.response_format.json_schema.schema, facts)) };
  }
  const tool = wantedTool(body);
  if (tool === undefined) return { content: JSON.stringify(facts) };
  const call = { name: tool.name, arguments: JSON.stringify(fill(tool.parameters, facts)) };
  return { content: null, tool_calls: [{ id: "call_stand_in", type: "function", function: call }] };
}

export function sendCompletion(response, { id, body, messages, message }) {
  const usage = countUsage(messages, message);
  const fields = { id, created: Math.floor(Date.now() / 1000), model: modelName };
  if (body.stream === true)
    return sendStream(response, fields, message, body.stream_options?.include_usage && usage);
  sendJson(response, 200, {
    ...fields,
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finishReason(message) }],
    usage,
  });
}

export function sendJson(response, status, value) {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(value));
}

function sendStream(response, fields, message, usage) {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
  });
  const send = (rest) => {
    response.write(`data: ${JSON.stringify({ ...fields, object: "chat.completion.chunk", ...rest })}\n\n`);
  };
  const choice = (delta, reason = null) => ({ choices: [{ index: 0, delta, finish_reason: reason }] });
  send(choice({ role: "assistant", content: "" }));
  for (const piece of message.content?.match(/\s*\S{1,8}|\s+$/gu) ?? []) send(choice({ content: piece }));
  for (const [index, call] of (message.tool_calls ?? []).entries()) {
    send(choice({ tool_calls: [{ index, ...call }] }));
  }
  send(choice({}, finishReason(message)));
  if (usage) send({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}

function finishReason(message) {
  return message.tool_calls === undefined ? "stop" : "tool_calls";
}

function wantedTool({ tools = [], tool_choice: choice }) {
  if (choice === undefined || choice === "auto" || choice === "none") return undefined;
  const functions = tools.map((tool) => tool.function);
  return functions.find(({ name }) => name === choice.function?.name) ?? functions[0];
}

/** The first list of the schema, filled with the facts; a field that the schema wants and a fact lacks is null. */
function fill({ properties = {} }, facts) {
  const [key = "memories", list] = Object.entries(properties).find(([, value]) => isList(value)) ?? [];
  const fields = Object.keys(list?.items?.properties ?? { content: {} });
  return {
    [key]: facts.map((fact) => Object.fromEntries(fields.map((field) => [field, fact[field] ?? null]))),
  };
}

function isList(schema) {
  return schema.type === "array";
}

/** Four characters to a token: an estimate, like everything that the stand-in says about tokens. */
function countUsage(messages, message) {
  const sent = messages.reduce((sum, { text }) => sum + text.length, 0);
  const prompt = Math.ceil(sent / 4);
  const reply = Math.ceil(JSON.stringify(message).length / 4);
  return { prompt_tokens: prompt, completion_tokens: reply, total_tokens: prompt + reply };
}
