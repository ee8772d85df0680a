import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ChatOpenAI } from "@langchain/openai";
import { onTestFinished } from "vitest";

export interface CompletionRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly stream?: boolean;
  readonly response_format?: { readonly type: string };
  readonly tools?: readonly unknown[];
  readonly [key: string]: unknown;
}

/** A text to answer with, or a function that writes the response itself (to stall, to refuse, to break off). */
export type ServerReply =
  | string
  | ((response: ServerResponse, request: CompletionRequest) => void | Promise<void>);

export interface ModelServer {
  readonly baseURL: string;
  /** The bodies that were received. */
  readonly requests: readonly CompletionRequest[];
  /** The real client, pointed at this server, without retries of its own. */
  model(options?: object): ChatOpenAI;
}

/** A real HTTP server that speaks the OpenAI protocol. @param reply What it answers to a request. */
export async function startModelServer(
  reply: (request: CompletionRequest, index: number) => ServerReply,
): Promise<ModelServer> {
  const requests: CompletionRequest[] = [];
  const server = createServer((request, response) => {
    void receive(request).then(async (body) => {
      requests.push(body);
      const answer = reply(body, requests.length - 1);
      if (typeof answer === "string") sendCompletion(response, body, answer);
      else await answer(response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    baseURL,
    requests,
    model: (options = {}) =>
      new ChatOpenAI({
        model: "gpt-4o-mini",
        apiKey: "none",
        maxRetries: 0,
        configuration: { baseURL },
        ...options,
      }),
  };
}

export function sendStatus(status: number, message = "refused"): ServerReply {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message, type: "error" } }));
  };
}

export function sendCompletion(
  response: ServerResponse,
  { stream }: CompletionRequest,
  content: string,
  finishReason = "stop",
): void {
  const common = { id: "chatcmpl-1", created: 0, model: "stand-in" };
  if (stream === true) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const chunks = [{ role: "assistant", content: "" }, ...Array.from(content, (one) => ({ content: one }))];
    for (const delta of chunks) {
      response.write(
        `data: ${JSON.stringify({ ...common, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`,
      );
    }
    response.write(
      `data: ${JSON.stringify({ ...common, object: "chat.completion.chunk", choices: [{ index: 0, delta: {}, finish_reason: finishReason }] })}\n\n`,
    );
    response.end("data: [DONE]\n\n");
    return;
  }
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      ...common,
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: finishReason }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
  );
}

async function receive(request: IncomingMessage): Promise<CompletionRequest> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return JSON.parse(text) as CompletionRequest;
}
