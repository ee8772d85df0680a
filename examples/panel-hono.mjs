// The same in a framework with Request and Response, such as Hono, Next.js, Bun or Deno.

import { Hono } from "hono";
import { MemoryWorkspace } from "langchain-cross-session-memory";
import { createMemoryPanel } from "langchain-cross-session-memory/panel";

const workspace = new MemoryWorkspace({ dir: "./ai", locale: "en" });
const panel = createMemoryPanel(workspace, {
  authorize: (request) =>
    request.headers.get("x-user") === null ? null : { userId: request.headers.get("x-user") },
});

export const app = new Hono();
app.all("/memory", ({ req }) => panel(req.raw));
app.all("/memory/*", ({ req }) => panel(req.raw));

const response = await app.request("/memory", { headers: { "x-user": "alice" } });
console.log(response.status, response.headers.get("content-type"));
