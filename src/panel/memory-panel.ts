import type { MemoryWorkspace } from "../workspace/index.js";
import { answerApi } from "./api.js";
import { languageOf } from "./language.js";
import { checkPanelOptions, type PanelOptions } from "./options.js";
import { answerPage, answerPageFile } from "./page-files.js";
import { PanelFault } from "./panel-fault.js";
import { refusal, withoutBody } from "./responses.js";
import { routeOf } from "./route.js";
import { viewerOf } from "./viewer.js";

/** Request in, response out, as Next.js, Hono, Bun and Deno mount it. Never rejects. */
export type PanelHandler = (request: Request) => Promise<Response>;

/**
 * The settings page of a workspace: a person sees, corrects and switches off what is remembered. Mount it under any path;
 * `toNodeHandler` makes it fit Express and plain `http`.
 *
 * @throws TypeError or RangeError (`code` `ERR_OPTION_…`), also without `authorize`: it serves nobody unasked.
 * @example
 * const panel = createMemoryPanel(workspace, {
 *   authorize: async (request) => {
 *     const user = await signedInUser(request);
 *     return user && { userId: user.id, canManageAssets: user.isAdmin };
 *   },
 * });
 */
export function createMemoryPanel(workspace: MemoryWorkspace, options: PanelOptions): PanelHandler {
  checkPanelOptions(workspace, options);
  return async (request) => {
    try {
      const response = await answer(workspace, options, request);
      return request.method === "HEAD" ? withoutBody(response) : response;
    } catch (error) {
      return refusal(error);
    }
  };
}

async function answer(
  workspace: MemoryWorkspace,
  options: PanelOptions,
  request: Request,
): Promise<Response> {
  const route = routeOf(request, options.basePath);
  const viewer = await viewerOf(workspace, options, request);
  if (route.kind === "api") return answerApi({ request, options, viewer, name: route.name });
  if (request.method !== "GET" && request.method !== "HEAD") throw new PanelFault(405, "ERR_REQUEST_INVALID");
  if (route.kind === "file") return answerPageFile(request, route.name);
  return answerPage(route.base, languageOf(request, options.locale, workspace));
}
