import { PanelFault } from "./panel-fault.js";

/** The largest call adds or edits one memory: 200 characters, and room for spaces that are trimmed. */
const maxBodyBytes = 64 * 1024;

/**
 * The body of a call that changes something, once it is sure that this page made it: another site can neither send JSON
 * without asking first nor hide its origin.
 */
export async function readCall(
  request: Request,
  origins: readonly string[] | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  if (!isFromThisPage(request, origins)) throw new PanelFault(403, "ERR_FORBIDDEN");
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(?:;|$)/iu.test(type)) throw new PanelFault(415, "ERR_REQUEST_INVALID");
  try {
    const parsed: unknown = JSON.parse(await readText(request));
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Readonly<Record<string, unknown>>;
    }
  } catch (error) {
    if (error instanceof PanelFault) throw error;
  }
  throw new PanelFault(400, "ERR_REQUEST_INVALID");
}

/** Every browser names the origin of a POST. A call without one is none of this page's. */
function isFromThisPage(request: Request, origins: readonly string[] | undefined): boolean {
  const { headers, url } = request;
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  const origin = headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  if (origins !== undefined) return origins.includes(origin);
  // Behind a proxy that ends TLS the handler sees http and the browser https: the host decides.
  return new URL(origin).host === (headers.get("host") ?? new URL(url).host);
}

async function readText(request: Request): Promise<string> {
  const tooLarge = new PanelFault(413, "ERR_REQUEST_TOO_LARGE");
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBodyBytes) throw tooLarge;
    chunks.push(chunk);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
}
