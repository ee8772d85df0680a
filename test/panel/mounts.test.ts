import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { createMemoryPanel, type PanelOptions, toNodeHandler } from "../../src/panel/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { readAnswer } from "./api-answer.js";

async function makePanel(options: Partial<PanelOptions> = {}) {
  const workspace = new MemoryWorkspace({ dir: await temporaryFolder() });
  const authorize: PanelOptions["authorize"] = ({ headers }) =>
    headers.get("cookie") === "session=alice" ? { userId: "alice" } : null;
  return createMemoryPanel(workspace, { authorize, ...options });
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The page, its script and a call, as a browser would come by them. */
async function usePanel(
  send: (path: string, options?: RequestInit) => Promise<Response>,
  origin: string,
  base: string,
) {
  const headers = { cookie: "session=alice" };
  expect((await send(base)).status).toBe(401);
  const page = await send(base, { headers });
  expect(page.headers.get("content-type")).toContain("text/html");
  const [, script = ""] = /src="([^"]*main\.js)"/u.exec(await page.text()) ?? [];
  expect(script).toBe(`${base.replace(/\/$/u, "")}/assets/main.js`);
  expect((await send(script, { headers })).headers.get("content-type")).toContain("text/javascript");
  const api = script.replace("assets/main.js", "api/");
  const added = await send(`${api}add-memory`, {
    method: "POST",
    headers: { ...headers, origin, "content-type": "application/json" },
    body: JSON.stringify({ content: "用 pnpm" }),
  });
  expect(added.status).toBe(200);
  const { memories } = await readAnswer(await send(`${api}state`, { headers }));
  expect(memories).toMatchObject([{ content: "用 pnpm" }]);
}

describe("the handler mounts", () => {
  it("in plain http", async () => {
    const origin = await listen(toNodeHandler(await makePanel()));
    await usePanel((path, options) => fetch(origin + path, options), origin, "/");
    const origin2 = await listen(toNodeHandler(await makePanel()));
    await usePanel((path, options) => fetch(origin2 + path, options), origin2, "/any/path");
  });

  it("in Express, under a path, also behind a body parser", async () => {
    for (const parser of [[], [express.json()]]) {
      const app = express();
      for (const one of parser) app.use(one);
      app.use("/settings/memory", toNodeHandler(await makePanel()));
      const origin = await listen(app);
      await usePanel((path, options) => fetch(origin + path, options), origin, "/settings/memory");
    }
  });

  it("in Hono, by a route and by mount", async () => {
    const origin = "http://app.example";
    const routed = new Hono();
    const panel = await makePanel();
    routed.all("/memory", ({ req }) => panel(req.raw));
    routed.all("/memory/*", ({ req }) => panel(req.raw));
    await usePanel(async (path, options) => routed.request(origin + path, options), origin, "/memory");
    const mounted = new Hono();
    mounted.mount("/memory", await makePanel({ basePath: "/memory" }));
    await usePanel(async (path, options) => mounted.request(origin + path, options), origin, "/memory");
  });

  it("in Next.js, as the exports of a catch-all route", async () => {
    const panel = await makePanel();
    const route: Record<string, (request: Request) => Promise<Response>> = { GET: panel, POST: panel };
    const origin = "http://app.example";
    const send = async (path: string, options: RequestInit = {}) => {
      const respond = route[options.method ?? "GET"];
      return respond?.(new Request(origin + path, options)) ?? new Response(null, { status: 405 });
    };
    await usePanel(send, origin, "/account/memory");
  });
});

it("a request that is none is answered with a status and breaks nothing", async () => {
  const origin = await listen(toNodeHandler(await makePanel()));
  const { connect } = await import("node:net");
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(origin).port), "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: a b c%%\r\nConnection: close\r\n\r\n");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400/u);
  expect((await fetch(origin)).status).toBe(401);
});
