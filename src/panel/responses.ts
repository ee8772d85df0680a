import { createHash } from "node:crypto";
import { MemoryError } from "../errors.js";
import { PanelFault } from "./panel-fault.js";

/** Nothing but the page's own files and calls; nothing inline, so that no text that slips in could ever run. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
].join("; ");

const commonHeaders = {
  "content-security-policy": contentSecurityPolicy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  vary: "cookie, authorization, accept-language",
} as const;

export function text(body: string, type: string, headers: Record<string, string> = {}): Response {
  return new Response(body, {
    headers: {
      ...commonHeaders,
      "cache-control": "private, no-store",
      "content-type": `${type}; charset=utf-8`,
      ...headers,
    },
  });
}

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: {
      ...commonHeaders,
      "cache-control": "private, no-store",
      "content-type": "application/json",
      ...headers,
    },
  });
}

/** The body, or nothing where the browser has the same already. */
export function unlessKnown(request: Request, body: string, respond: (etag: string) => Response): Response {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 24)}"`;
  if (request.headers.get("if-none-match") !== etag) return respond(etag);
  return new Response(null, {
    status: 304,
    headers: { ...commonHeaders, etag, "cache-control": "private, no-cache" },
  });
}

export function withoutBody({ status, headers }: Response): Response {
  return new Response(null, { status, headers });
}

const statusOf: Readonly<Record<string, number>> = {
  ERR_MEMORY_NOT_FOUND: 404,
  ERR_ASSET_NOT_FOUND: 404,
  ERR_LOCKED: 503,
  ERR_WRITE_INCOMPLETE: 507,
};

/** Codes only: what an error says is for the app's log, not for the browser. */
export function refusal(error: unknown): Response {
  if (error instanceof PanelFault) return json({ error: { code: error.code } }, error.status);
  if (!MemoryError.isInstance(error)) return json({ error: { code: "unknown" } }, 500);
  return json({ error: { code: error.code } }, statusOf[error.code] ?? 400);
}
