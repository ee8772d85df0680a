import { PanelFault } from "./panel-fault.js";

export type Route =
  | { readonly kind: "page"; readonly base: string }
  | { readonly kind: "file"; readonly name: string }
  | { readonly kind: "api"; readonly name: string };

/**
 * The last two parts of the path say what is asked for, so that the handler works under any path without being told which;
 * ids and file names never stand in a path. A package with routes by pattern would be larger than all of this.
 */
export function routeOf(request: Request, basePath?: string): Route {
  // Never two slashes in front: as the beginning of a link that would name another host.
  const path = new URL(request.url).pathname.replace(/^\/+/u, "/");
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  const folder = parts.pop();
  if (folder === "api") return { kind: "api", name };
  if (folder === "assets") return { kind: "file", name };
  const base = withoutEndSlash(basePath ?? path);
  if (basePath !== undefined && !["", base].includes(withoutEndSlash(path))) {
    throw new PanelFault(404, "ERR_REQUEST_INVALID");
  }
  return { kind: "page", base };
}

function withoutEndSlash(path: string): string {
  return path.replace(/\/+$/u, "");
}
