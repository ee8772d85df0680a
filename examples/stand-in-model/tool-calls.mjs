/** When the stand-in calls a tool: only `remember`, and only where the user says "remember that …" in so many words. */

/** The message that calls the tool or says what it answered; `undefined` where the stand-in just talks. */
export function useTools(messages, { tools = [] }) {
  const { role, text } = messages.at(-1);
  if (role === "tool") return { content: text };
  const hasTool = tools.some((tool) => tool.function?.name === "remember");
  const [, wanted] = /\bremember that (.+)/isu.exec(text) ?? /请记住[:：，,]?\s*(.+)/su.exec(text) ?? [];
  if (role !== "user" || !hasTool || wanted === undefined) return undefined;
  const call = { name: "remember", arguments: JSON.stringify({ content: wanted.trim() }) };
  return { content: null, tool_calls: [{ id: "call_stand_in", type: "function", function: call }] };
}
