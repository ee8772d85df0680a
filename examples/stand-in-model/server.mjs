/**
 * A stand-in for a model: a local HTTP server that speaks the OpenAI protocol, so that the examples run through the real
 * `ChatOpenAI` without a key and without a network. It is no language model, and every reply's `model` says so. What it
 * replies is computed from what it is sent, and the same request always gets the same reply.
 */
import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { answer } from "./answers.mjs";
import { deriveFacts } from "./facts.mjs";
import { modelName, sendCompletion, sendJson, writeFacts } from "./replies.mjs";
import { readBody, readKind, readMessages, refuse } from "./requests.mjs";
import { digest } from "./summary.mjs";
import { useTools } from "./tool-calls.mjs";

export { modelName };

/** Starts the server on 127.0.0.1; the options and what it gives are described in `server.d.mts`. */
export async function startStandInModel({ port = 0, log, chatDelayMs = 0, extractionDelayMs = 0 } = {}) {
  const requests = [];

  async function respond(request, response) {
    const { pathname: path } = new URL(request.url, "http://127.0.0.1");
    if (request.method === "GET" && path === "/v1/models") {
      return sendJson(response, 200, { object: "list", data: [{ id: modelName, object: "model" }] });
    }
    if (request.method !== "POST" || path !== "/v1/chat/completions") {
      throw refuse(404, "only /v1/chat/completions and /v1/models are here");
    }
    const body = await readBody(request);
    const messages = readMessages(body);
    const { kind, material } = readKind(messages);
    requests.push({ path, kind, body });
    log?.(`${kind} request ${requests.length}: ${messages.length} messages`);
    await wait(kind === "chat" ? chatDelayMs : extractionDelayMs);
    const id = `chatcmpl-stand-in-${requests.length}`;
    sendCompletion(response, { id, body, messages, message: reply(kind, material, messages, body) });
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, error.status ?? 500, { error: { message: error.message, type: error.name } });
    });
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    baseURL: `http://127.0.0.1:${server.address().port}/v1`,
    requests,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function reply(kind, material, messages, body) {
  if (kind === "extraction") return writeFacts(deriveFacts(material), body);
  if (kind === "summary") return { content: digest(material) };
  return useTools(messages, body) ?? { content: answer(messages) };
}
