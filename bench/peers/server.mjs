import { fork } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { marksOf } from "./conversation.mjs";

/**
 * Stands in for a provider, in a process of its own. It speaks as much of OpenAI's protocol as the peers use, and counts: each
 * peer has a base address of its own (`addressOf(name)`), so two can be measured in turn.
 */
export async function startServer() {
  const child = fork(fileURLToPath(import.meta.url), ["serve"]);
  const ask = (question) =>
    new Promise((resolve) => {
      child.once("message", resolve);
      child.send(question);
    });
  const port = await new Promise((resolve) => child.once("message", resolve));
  return {
    addressOf: (name) => `http://127.0.0.1:${port}/${name}/v1`,
    /** Where another process can do what `configure` does. */
    settingsAddress: `http://127.0.0.1:${port}/settings`,
    /** Milliseconds before a reply of the app's model, of a memory's own and of embeddings, and the characters of an answer. */
    configure: (settings) => ask({ settings }),
    /** What one asked for since the last time. */
    takeCounts: (name) => ask({ name }),
    close: () => child.kill(),
  };
}

/** What the app itself asks goes to this model, and what a memory asks to the other. */
export const appModel = "gpt-4o";
export const ownModel = "gpt-4o-mini";
export const embeddingSize = 1536;

const settings = { delayMs: 0, ownDelayMs: 0, embeddingDelayMs: 0, answerCharacters: 600 };
const counts = new Map();
const countsOf = (name) => {
  const known = counts.get(name) ?? { calls: 0, ownCalls: 0, embeddings: 0, bytes: 0, ownBytes: 0 };
  counts.set(name, known);
  return known;
};

function serve() {
  const server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const raw = Buffer.concat(pieces);
    const body = JSON.parse(raw.toString());
    if (request.url === "/settings") {
      Object.assign(settings, body);
      sendJson(response, settings);
      return;
    }
    const count = countsOf(request.url.split("/")[1]);
    if (request.url.endsWith("/embeddings")) {
      count.embeddings++;
      await pause(settings.embeddingDelayMs);
      sendJson(response, embeddingsFor(body));
      return;
    }
    const isOwn = body.model === ownModel;
    count[isOwn ? "ownCalls" : "calls"]++;
    count[isOwn ? "ownBytes" : "bytes"] += raw.length;
    await pause(isOwn ? settings.ownDelayMs : settings.delayMs);
    const content = isOwn ? ownReply(body) : answer(body);
    if (body.stream) stream(response, body, content);
    else
      sendJson(response, {
        ...envelope(body, "chat.completion"),
        choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      });
  });
  process.on("message", ({ settings: changed, name }) => {
    if (changed !== undefined) Object.assign(settings, changed);
    const taken = name === undefined ? {} : countsOf(name);
    if (name !== undefined) counts.delete(name);
    process.send(taken);
  });
  process.on("disconnect", () => process.exit(0));
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
}

const pause = (milliseconds) =>
  milliseconds > 0 ? new Promise((resolve) => setTimeout(resolve, milliseconds)) : undefined;

const textOf = ({ content }) =>
  typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("");

const fill = (start, characters) =>
  `${start}${" Take one step after the other, and look at what came of it.".repeat(20)}`.slice(0, characters);

const answer = ({ messages }) =>
  fill(`Answer to ${marksOf(textOf(messages.at(-1))).at(-1)}.`, settings.answerCharacters);

/** Each that learns gets one fact for each turn that it sends. */
function ownReply(body) {
  const text = body.messages.map(textOf).join("\n");
  const factOf = (mark) => `The user takes the option of ${mark}`;
  const newPart = text.split("[New conversation]").at(-1);
  if (newPart !== text) {
    const marks = [...new Set(marksOf(newPart))];
    return JSON.stringify({ memories: marks.map((mark) => ({ content: factOf(mark) })) });
  }
  if (body.response_format?.type === "json_object") {
    const fact = {
      id: "0",
      attributed_to: "user",
      linked_memory_ids: [],
      text: factOf(marksOf(text).at(-1)),
    };
    return JSON.stringify({ memory: [fact] });
  }
  return fill(`Summary up to ${marksOf(text).at(-1)}.`, 300);
}

function embeddingsFor({ input, encoding_format, model }) {
  const vectors = [input].flat().map((text) => wordVector(String(text)));
  const inFormat = (vector) =>
    encoding_format === "base64" ? Buffer.from(vector.buffer).toString("base64") : [...vector];
  return {
    object: "list",
    model,
    data: vectors.map((vector, index) => ({ object: "embedding", index, embedding: inFormat(vector) })),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  };
}

/** In place of an embedding model: texts that share words (or Han characters) lie near each other. */
function wordVector(text) {
  const vector = new Float32Array(embeddingSize);
  for (const word of text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 5381;
    for (const character of word) hash = (Math.imul(hash, 33) ^ character.codePointAt(0)) >>> 0;
    vector[hash % embeddingSize] += 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** A reply with the id of a former one would take its place in a thread. */
let replies = 0;
const envelope = ({ model }, object) => ({
  id: `chatcmpl-${replies++}`,
  object,
  created: 0,
  model,
});

function sendJson(response, value) {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

function stream(response, body, content) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const head = envelope(body, "chat.completion.chunk");
  const send = (delta, finish_reason = null) => {
    const chunk = {
      ...head,
      choices: [{ index: 0, delta, finish_reason }],
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  send({ role: "assistant", content: "" });
  for (let at = 0; at < content.length; at += 60) send({ content: content.slice(at, at + 60) });
  send({}, "stop");
  response.end("data: [DONE]\n\n");
}

if (process.argv[2] === "serve" && process.argv[1] === fileURLToPath(import.meta.url)) serve();
