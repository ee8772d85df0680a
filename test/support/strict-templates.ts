import type { CompletionRequest } from "./model-server.js";

type Message = CompletionRequest["messages"][number] & {
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
};

/**
 * Why the strictest of Anthropic, Gemini and the chat templates of Qwen would refuse a request; `undefined` where each
 * takes it: one system message, and it is first; the user speaks first; user and assistant alternate; each tool call
 * has its result right behind it, and no result stands without its call; the last word is not the assistant's.
 */
export function refusalOf({ messages }: CompletionRequest): string | undefined {
  const roles = messages.map(({ role }) => (role === "developer" ? "system" : role));
  if (roles.lastIndexOf("system") > 0) return `a system message that is not first: ${roles}`;
  const spoken = (messages as readonly Message[]).slice(roles[0] === "system" ? 1 : 0);
  if (spoken[0]?.role !== "user") return `the user doesn't speak first: ${roles}`;
  if (spoken.at(-1)?.role === "assistant") return `the last word is the assistant's: ${roles}`;
  let open = new Set<string>();
  let previous = "";
  for (const { role, tool_calls: calls = [], tool_call_id: call = "" } of spoken) {
    if (role === "tool") {
      if (!open.delete(call)) return `a tool result without its call: ${roles}`;
    } else {
      if (open.size > 0) return `a tool call without its result: ${roles}`;
      if (role === previous) return `two of the ${role} in a row: ${roles}`;
      open = new Set(calls.map(({ id }) => id));
    }
    previous = role;
  }
  return open.size > 0 ? `a tool call without its result: ${roles}` : undefined;
}
