import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LocaleName } from "../locales/index.js";
import type { MemoryWorkspace } from "../workspace/index.js";
import { createMemoryPanel } from "./memory-panel.js";
import { toNodeHandler } from "./node-handler.js";

export interface LocalServerOptions {
  /** 0 takes any that is free. */
  readonly port: number;
  readonly locale: LocaleName;
  readonly openFolder: (path: string) => void | Promise<void>;
}

export interface LocalServer {
  /** Opens the page once, in one browser. */
  readonly url: string;
  /** Resolves when a browser has opened the page. */
  readonly opened: Promise<void>;
  close(): Promise<void>;
}

/**
 * The page of the person who sits at this machine. It listens on 127.0.0.1 alone, and since every web page that this person
 * visits can send requests there too: the address must be ours (a foreign name that was made to point here is refused), a
 * foreign origin is refused, and without the cookie, which only the link with the token gives and only once, there is nothing.
 */
export async function startLocalServer(
  workspace: MemoryWorkspace,
  { port, locale, openFolder }: LocalServerOptions,
): Promise<LocalServer> {
  const token = new OneTimeToken();
  const secret = randomBytes(32).toString("base64url");
  let hosts: readonly string[] = [];
  let cookieName = "";
  let resolveOpened: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    resolveOpened = resolve;
  });

  const panel = createMemoryPanel(workspace, {
    basePath: "/",
    locale,
    openFolder,
    authorize: (request) =>
      isEqual(cookieOf(request, cookieName) ?? "", secret) ? { canManageAssets: true } : null,
  });

  const server = createServer(
    toNodeHandler(async (request) => {
      const { searchParams, pathname, host } = new URL(request.url);
      const origin = request.headers.get("origin");
      const isForeignOrigin = origin !== null && !hosts.some((one) => origin === `http://${one}`);
      if (!hosts.includes(host) || isForeignOrigin) return refused(403);
      const given = searchParams.get("token");
      if (given === null) return panel(request);
      if (request.method !== "GET" || pathname !== "/" || !token.redeem(given)) return refused(401);
      resolveOpened();
      return new Response(null, {
        status: 303,
        headers: {
          location: "/",
          "set-cookie": `${cookieName}=${secret}; HttpOnly; SameSite=Strict; Path=/`,
          "cache-control": "no-store",
          "referrer-policy": "no-referrer",
        },
      });
    }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address() as AddressInfo;
  hosts = [`127.0.0.1:${address.port}`, `localhost:${address.port}`];
  // Cookies know no port: two of these at once must not sign each other out.
  cookieName = `memory-panel-${address.port}`;
  return {
    url: `http://127.0.0.1:${address.port}/?token=${token.value}`,
    opened,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

class OneTimeToken {
  readonly value = randomBytes(32).toString("base64url");
  #isUsed = false;

  redeem(given: string): boolean {
    if (this.#isUsed || !isEqual(given, this.value)) return false;
    this.#isUsed = true;
    return true;
  }
}

function refused(status: number): Response {
  return new Response(null, { status, headers: { "cache-control": "no-store" } });
}

function cookieOf(request: Request, name: string): string | undefined {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

function isEqual(given: string, expected: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(expected);
  return left.length === right.length && timingSafeEqual(left, right);
}
