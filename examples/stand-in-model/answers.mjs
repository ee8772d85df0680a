/**
 * What the stand-in says in chat. It knows nothing but what it is sent: for a question it looks for the line, among the
 * system message and what the user said before, that shares most words with it, and quotes that line. So an answer
 * that holds a fact proves that the fact was in the request.
 */
import { isChinese, isQuestion, sentences, terms } from "./words.mjs";

/** The reply to messages whose last one is the user's. */
export function answer(messages) {
  const { context, question, said } = readChat(messages);
  const chinese = isChinese(question);
  const asked = sentences(question).findLast(isQuestion);
  const reply =
    asked === undefined ? acknowledge(question, chinese) : look(asked, [...context, ...said], chinese);
  const ending = wantedEnding(context);
  if (ending === undefined) return reply;
  return chinese ? `${reply}${ending}` : `${reply} ${ending}`;
}

function acknowledge(text, chinese) {
  const length = [...text].length;
  return chinese ? `收到（${length} 个字）。` : `Noted (${length} characters).`;
}

function look(question, lines, chinese) {
  const wanted = terms(question);
  const needed = Math.max(Math.min(2, wanted.size), wanted.size * 0.4);
  let best = { line: "", shared: 0, size: 0 };
  for (const line of lines) {
    const offered = terms(line);
    const shared = [...wanted].filter((term) => offered.has(term)).length;
    const closer = shared === best.shared && offered.size < best.size;
    if (shared > best.shared || closer) best = { line, shared, size: offered.size };
  }
  if (best.shared === 0 || best.shared < needed) {
    return chinese ? "我不知道，发给我的内容里没有提到。" : "I don't know: nothing that I was sent says so.";
  }
  const quoted = best.line.replace(/[。.]$/u, "");
  return chinese ? `发给我的内容里写着：${quoted}。` : `What I was sent says: ${quoted}.`;
}

/** A rule such as: end every answer with "…". */
function wantedEnding(context) {
  for (const line of context) {
    const ending =
      /(?:回答|回复).{0,6}(?:末尾|最后|结尾).{0,8}[「“"]([^」”"]{1,20})[」”"]/u.exec(line) ??
      /\bends? (?:each|every) (?:answer|reply) with ["“]([^"”]{1,30})["”]/iu.exec(line);
    if (ending !== null) return ending[1];
  }
  return undefined;
}

/**
 * Context lines, earlier words of the user, and the question. A chain with a plain string prompt, as `ConversationChain`
 * has by default, sends all of it as one message: `…Human: …\nAI: …\nHuman: question\nAI:`.
 */
function readChat(messages) {
  const system = messages.filter(({ role }) => role === "system").flatMap(({ text }) => contextLines(text));
  const spoken = messages.filter(({ role }) => role === "user").map(({ text }) => text);
  const last = spoken.pop() ?? "";
  const transcript = /^([\s\S]*?)^Human: (?![\s\S]*^Human: )([\s\S]*?)\nAI:\s*$/mu.exec(last);
  if (transcript === null) return { context: system, question: last, said: spoken.flatMap(statements) };
  const [, before = "", question = ""] = transcript;
  const said = [...before.matchAll(/^Human: ([\s\S]*?)(?=^(?:AI|Human): |$(?![\s\S]))/gmu)].map(
    ([, text]) => text,
  );
  const context = contextLines(before.split(/^Human: /mu, 1)[0] ?? "");
  return { context: [...system, ...context], question, said: [...spoken, ...said].flatMap(statements) };
}

function contextLines(text) {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => line.replace(/^\s*(?:[-*]|\d+[.)])\s+/u, "").trim());
}

function statements(text) {
  return sentences(text).filter((sentence) => !isQuestion(sentence));
}
