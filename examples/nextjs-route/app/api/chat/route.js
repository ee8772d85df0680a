/** A route handler of Next.js's App Router: it streams the agent's words to whoever is signed in. */
import { agent } from "../../../lib/chat.js";
import { signedInUser } from "../../../lib/sign-in.js";

// The memory needs a disk and `node:` modules; the edge has neither.
export const runtime = "nodejs";

export async function POST(request) {
  const user_id = signedInUser(request);
  if (user_id === undefined) return new Response("who are you?", { status: 401 });
  const { session, text } = await request.json();

  // A client that hangs up ends its run, and what was half said is not recorded.
  const run = { configurable: { thread_id: session, user_id }, signal: request.signal };
  const input = { messages: [{ role: "user", content: text }] };
  const answer = await agent.stream(input, { ...run, streamMode: "messages" });
  return new Response(ReadableStream.from(wordsOf(answer)), {
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}

async function* wordsOf(answer) {
  const encoder = new TextEncoder();
  for await (const [chunk] of answer) yield encoder.encode(chunk.text);
}
