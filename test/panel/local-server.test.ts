import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, it, onTestFinished } from "vitest";
import { MemoryWorkspace } from "../../src/index.js";
import { startLocalServer } from "../../src/panel/local-server.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function start() {
  const workspace = new MemoryWorkspace({ dir: await temporaryFolder() });
  const opened: string[] = [];
  const server = await startLocalServer(workspace, {
    port: 0,
    locale: "en",
    openFolder: (path) => void opened.push(path),
  });
  onTestFinished(() => server.close());
  const { port, searchParams } = new URL(server.url);
  const send = (path: string, headers: Record<string, string> = {}, body?: unknown) =>
    new Promise<{ status: number; headers: IncomingMessage["headers"]; text: string }>((resolve, reject) => {
      const method = body === undefined ? "GET" : "POST";
      const sent = httpRequest({ port, host: "127.0.0.1", path, method, headers }, async (response) => {
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  const signIn = async () => {
    const { headers } = await send(`/?token=${searchParams.get("token")}`);
    return headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  };
  return { workspace, server, port, send, signIn, token: searchParams.get("token"), opened };
}

it("the link opens the page once, in exchange for a cookie that no script and no other site gets", async () => {
  const { send, token } = await start();
  const first = await send(`/?token=${token}`);
  expect([first.status, first.headers.location]).toEqual([303, "/"]);
  const [cookie = ""] = first.headers["set-cookie"] ?? [];
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/u);
  const page = await send("/", { cookie: cookie.split(";")[0] ?? "" });
  expect([page.status, page.text.includes('<html lang="en">')]).toEqual([200, true]);
  expect(page.headers["content-security-policy"]).toContain("script-src 'self';");
  const second = await send(`/?token=${token}`);
  expect([second.status, second.headers["set-cookie"]]).toEqual([401, undefined]);
});

it("without the cookie, or with another's, there is nothing", async () => {
  const { send, signIn } = await start();
  const other = await start();
  await signIn();
  const cookies = [undefined, "", "memory-panel=x", await other.signIn()];
  for (const cookie of cookies) {
    for (const path of ["/", "/api/state", "/assets/main.js"]) {
      expect((await send(path, cookie === undefined ? {} : { cookie })).status).toBe(401);
    }
  }
  for (const token of ["", "wrong", "%00"]) expect((await send(`/?token=${token}`)).status).toBe(401);
});

it("a foreign host name is refused even with token and cookie, since a name may be made to point here", async () => {
  const { send, signIn, token, port } = await start();
  for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1", `127.0.0.1:${Number(port) + 1}`]) {
    expect((await send(`/?token=${token}`, { host })).status).toBeGreaterThanOrEqual(400);
  }
  const cookie = await signIn();
  for (const host of ["evil.example", `evil.example:${port}`, `localhost.evil.example:${port}`]) {
    expect((await send("/api/state", { cookie, host })).status).toBe(403);
  }
  expect((await send("/api/state", { cookie, host: `localhost:${port}` })).status).toBe(200);
});

it("a foreign origin is refused even with the cookie", async () => {
  const { send, signIn, port, workspace } = await start();
  const cookie = await signIn();
  const own = `http://127.0.0.1:${port}`;
  const headers = { cookie, "content-type": "application/json" };
  for (const origin of ["http://evil.example", "null", `https://127.0.0.1:${port}`, "http://127.0.0.1:1"]) {
    expect((await send("/api/state", { cookie, origin })).status).toBe(403);
    expect((await send("/api/add-memory", { ...headers, origin }, { content: "x" })).status).toBe(403);
  }
  expect((await send("/api/add-memory", headers, { content: "x" })).status).toBe(403);
  expect(await workspace.memories.list()).toEqual([]);
  expect((await send("/api/add-memory", { ...headers, origin: own }, { content: "x" })).status).toBe(200);
  expect(await workspace.memories.list()).toHaveLength(1);
});

it("listens on 127.0.0.1 and on no other address of this machine", async () => {
  const { port } = await start();
  const others = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ address, scopeid }) => address !== "127.0.0.1" && !scopeid)
    .map(({ address }) => address);
  for (const host of [...others, "127.0.0.2", "::1"]) {
    const reached = await new Promise((resolve) => {
      const socket = connect({ port: Number(port), host });
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    expect([host, reached]).toEqual([host, false]);
  }
});

it("opens the folders of rules and skills, and no other", async () => {
  const { send, signIn, port, opened } = await start();
  const headers = {
    cookie: await signIn(),
    "content-type": "application/json",
    origin: `http://127.0.0.1:${port}`,
  };
  for (const kind of ["rules", "skills"]) await send("/api/open-folder", headers, { kind });
  for (const kind of ["..", "/etc", "memory"]) {
    expect((await send("/api/open-folder", headers, { kind })).status).toBe(404);
  }
  expect(opened.map((path) => path.split("/").at(-1))).toEqual(["rules", "skills"]);
});
