/**
 * A chat server with two users, whose memories never meet. It streams its answers; where a client hangs up in the middle
 * of one, that turn is not recorded.
 *
 *     npm run build && node examples/chat-server.mjs
 *     curl -N localhost:8080/chat/monday -H "authorization: Bearer ann-token" -d "We use pnpm and never npm."
 *     curl -N localhost:8080/chat/monday -H "authorization: Bearer ben-token" -d "We use yarn and never npm."
 *
 * The environment may set PORT (8080) and AI_DIR (./ai). With --once it talks to itself, as both users and in a fresh
 * folder, and exits with 0 where each was answered from their own memory.
 */
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { MemoryWorkspace, withCrossSessionMemory } from "langchain-cross-session-memory";
import { openModel } from "./model.mjs";

const isOnce = process.argv.includes("--once");
const maxBytes = 64 * 1024;
/** Whose memory it is must come from the app's own login, never from what a client may choose. */
const userOfToken = new Map([
  ["ann-token", "ann"],
  ["ben-token", "ben"],
]);

const { model, name, close: closeModel } = await openModel();
console.log(`model: ${name}`);

const dir = isOnce ? await mkdtemp(join(tmpdir(), "cross-session-memory-")) : (process.env.AI_DIR ?? "./ai");
const workspace = new MemoryWorkspace({ dir, model, locale: "en" });
const prompt = ChatPromptTemplate.fromMessages([
  ["system", "You are a helpful assistant."],
  ["placeholder", "{history}"],
  ["human", "{input}"],
]);
const chat = withCrossSessionMemory(prompt.pipe(model).pipe(new StringOutputParser()), {
  workspace,
  userId: ({ configurable }) => configurable?.user_id,
});

async function respond(request, response) {
  const user_id = userOfToken.get(request.headers.authorization?.replace(/^Bearer /, ""));
  if (user_id === undefined) return refuse(response, 401, "who are you?");
  const { pathname } = new URL(request.url, "http://localhost");
  const [, thread_id] = /^\/chat\/([\w-]{1,64})$/.exec(pathname) ?? [];

  if (request.method === "GET" && pathname === "/memories") {
    const memories = await workspace.forUser(user_id).memories.list();
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(memories));
  }
  if (request.method !== "POST" || thread_id === undefined) {
    return refuse(response, 404, "POST /chat/<session>, or GET /memories");
  }
  const input = await read(request);
  if (input === undefined) return refuse(response, 413, `at most ${maxBytes} bytes`);
  if (input.trim() === "") return refuse(response, 400, "say something");

  const hungUp = new AbortController();
  response.once("close", () => hungUp.abort());
  const run = { configurable: { thread_id, user_id }, signal: hungUp.signal };
  const answer = await chat.stream({ input }, run);
  response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
  for await (const piece of answer) response.write(piece);
  response.end("\n");
}

async function read(request) {
  const pieces = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.length;
    if (bytes > maxBytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function refuse(response, status, reason) {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${reason}\n`);
}

const server = createServer((request, response) => {
  respond(request, response).catch((error) => {
    // Whoever hung up is told nothing; a half answer ends as one.
    if (response.headersSent || response.destroyed) return response.destroy();
    console.error(`failed: ${error.name}`);
    refuse(response, 500, "the model can't be reached");
  });
});
const port = isOnce ? 0 : Number(process.env.PORT ?? 8080);
await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}`;
console.log(`listening on ${url}`);

async function close() {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await closed;
  await workspace.close();
  await closeModel();
}

if (isOnce) {
  process.exitCode = (await talkToItself()) ? 0 : 1;
  await close();
} else {
  process.once("SIGINT", close).once("SIGTERM", close);
}

/** Each user says something in one session and asks for it in another. Gives whether both answers were right. */
async function talkToItself() {
  const facts = { ann: "pnpm", ben: "yarn" };
  for (const [user, fact] of Object.entries(facts)) {
    await say(user, "monday", `Our project uses ${fact} and never npm, because of the lockfile.`);
    await workspace.forUser(user).extractNow(); // By itself once 4000 characters have gathered.
  }
  const others = { ann: facts.ben, ben: facts.ann };
  let isRight = true;
  for (const [user, fact] of Object.entries(facts)) {
    const answer = await say(user, "tuesday", "Which package manager does our project use?");
    isRight &&= answer.includes(fact) && !answer.includes(others[user]);
  }
  console.log(isRight ? "each was answered from their own memory" : "an answer was wrong");
  return isRight;
}

async function say(user, session, text) {
  console.log(`${user}, ${session}: ${text}`);
  const response = await fetch(`${url}/chat/${session}`, {
    method: "POST",
    headers: { authorization: `Bearer ${user}-token` },
    body: text,
  });
  const answer = await response.text();
  console.log(`  ${answer.trim()}`);
  return answer;
}
