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

/** What a model says: a text, or the tools that it calls, or both. */
export interface Completion {
  readonly content?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly args: object }[];
  /** The id of the reply. @default "chatcmpl-1" for each */
  readonly id?: string;
  readonly finishReason?: string;
}

/** A text to answer with, a whole completion, or a function that writes the response itself (to stall, to refuse, to break off). */
export type ServerReply =
  | string
  | Completion
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
      if (typeof answer === "function") await answer(response, body);
      else sendCompletion(response, body, answer);
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
  completion: string | Completion,
  finishReason?: string,
): void {
  const said: Completion = typeof completion === "string" ? { content: completion } : completion;
  const { content = "", toolCalls = [], id = "chatcmpl-1" } = said;
  const calls = toolCalls.map(({ name, args }, index) => ({
    id: `call-${nextCall++}`,
    index,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  const finish = finishReason ?? said.finishReason ?? (calls.length > 0 ? "tool_calls" : "stop");
  const common = { id, created: 0, model: "stand-in" };
  if (stream === true) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (delta: object, finish_reason: string | null = null) => {
      const chunk = {
        ...common,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta, finish_reason }],
      };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    send({ role: "assistant", content: "" });
    for (const one of content) send({ content: one });
    if (calls.length > 0) send({ tool_calls: calls });
    send({}, finish);
    response.end("data: [DONE]\n\n");
    return;
  }
  response.writeHead(200, { "content-type": "application/json" });
  const message = { role: "assistant", content, ...(calls.length > 0 && { tool_calls: calls }) };
  response.end(
    JSON.stringify({
      ...common,
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: finish }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
  );
}

let nextCall = 1;

async function receive(request: IncomingMessage): Promise<CompletionRequest> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return JSON.parse(text) as CompletionRequest;
}
