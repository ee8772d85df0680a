import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { PanelHandler } from "./memory-panel.js";

/** As Express and `http.createServer` take it. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Makes a panel's handler fit Express (`app.use("/memory", …)`) and plain `http`. */
export function toNodeHandler(handler: PanelHandler): NodeHandler {
  return (incoming, outgoing) => {
    void answer(handler, incoming, outgoing).catch(() => {
      // The browser went away, or its request was none: there is nobody to tell.
      if (!outgoing.headersSent) outgoing.writeHead(400);
      outgoing.end();
    });
  };
}

async function answer(handler: PanelHandler, incoming: IncomingMessage, outgoing: ServerResponse) {
  const response = await handler(requestOf(incoming));
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie") outgoing.setHeader(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies);
  outgoing.end(response.body === null ? undefined : Buffer.from(await response.arrayBuffer()));
  // What the handler did not read would keep the connection busy.
  incoming.resume();
}

/** What Express leaves on a request: the path before it was mounted, and the body that a parser before us has read. */
interface ExpressParts {
  readonly originalUrl?: string;
  readonly body?: unknown;
}

function requestOf(incoming: IncomingMessage & ExpressParts): Request {
  const { method = "GET", headers, socket, originalUrl, url = "/", body } = incoming;
  const protocol = "encrypted" in socket && socket.encrypted === true ? "https" : "http";
  // A path may begin with two slashes, which as a relative URL would name a host.
  const target = new URL(`${protocol}://${headers.host ?? "localhost"}`);
  const [path = "/", ...query] = (originalUrl ?? url).split("?");
  target.pathname = path;
  target.search = query.join("?");
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(target, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [value].flat().map((one) => [name, one]),
    ),
    ...(hasBody && { body: bodyOf(incoming, body), duplex: "half" as const }),
  });
}

function bodyOf(incoming: IncomingMessage, parsed: unknown): ReadableStream<Uint8Array> | string {
  if (incoming.readableEnded && parsed !== undefined) return JSON.stringify(parsed);
  return Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
}
