/** How the stand-in reads a request: the body, its messages, and what is wanted. */

const conversationHeading = /^(?:【新对话】|\[New conversation\])\n(?=\{)/mu;
const knownHeading = /^(?:【已有记忆】|\[Known memories\])\n(\[.*\])$/mu;
const formerHeading = /^(?:【已有摘要】|\[Former summary\])\n([\s\S]*)/mu;

export async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = parse(Buffer.concat(chunks).toString("utf8"));
  if (body === undefined) throw refuse(400, "the body is not JSON");
  return body;
}

/** As strict as the strictest servers: one system message, at the beginning, and the last word is not the assistant's. */
export function readMessages(body) {
  if (!Array.isArray(body.messages) || body.messages.length === 0) throw refuse(400, "messages are missing");
  const messages = body.messages.map(({ role, content }) => ({
    role: role === "developer" ? "system" : role,
    text: Array.isArray(content) ? content.map((block) => block.text ?? "").join("") : (content ?? ""),
  }));
  if (messages.some(({ role }, at) => role === "system" && at > 0)) {
    throw refuse(400, "there can be one system message only, and it must be the first message");
  }
  if (messages.at(-1).role === "assistant") throw refuse(400, "the last message must not be the assistant's");
  return messages;
}

/**
 * What is wanted. An extraction is an instruction and one message with the conversation as JSON lines; where the
 * instruction speaks of a summary, it is one; everything else is chat.
 */
export function readKind(messages) {
  const [instruction, request, ...others] = messages;
  const heading = conversationHeading.exec(request?.text ?? "");
  if (instruction.role !== "system" || heading === null || others.length > 0) return { kind: "chat" };
  const before = request.text.slice(0, heading.index);
  const lines = request.text
    .slice(heading.index + heading[0].length)
    .split("\n")
    .map(parse)
    .filter((line) => typeof line?.content === "string");
  if (/摘要|summary/iu.test(instruction.text)) {
    return { kind: "summary", material: { former: formerHeading.exec(before)?.[1]?.trim(), lines } };
  }
  return {
    kind: "extraction",
    material: { known: parse(knownHeading.exec(before)?.[1] ?? "[]") ?? [], lines },
  };
}

/** An error that the server answers with that status, in OpenAI's form. */
export function refuse(status, message) {
  return Object.assign(new Error(message), { status, name: "invalid_request_error" });
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: no body, or no line of a conversation.
  }
}
