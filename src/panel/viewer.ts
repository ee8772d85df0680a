import type { MemoryWorkspace } from "../workspace/index.js";
import type { PanelIdentity, PanelOptions } from "./options.js";
import { PanelFault } from "./panel-fault.js";

/** Who asks, and the workspace that they may see. */
export interface Viewer {
  readonly workspace: MemoryWorkspace;
  readonly canManageAssets: boolean;
}

export async function viewerOf(
  workspace: MemoryWorkspace,
  { authorize }: PanelOptions,
  request: Request,
): Promise<Viewer> {
  // Not a copy: a body that is endless could then not be broken off, since the other copy would still be waiting for it.
  const identity: PanelIdentity | null | undefined = await authorize(request);
  if (typeof identity !== "object" || identity === null) throw new PanelFault(401, "ERR_SIGNED_OUT");
  const canManageAssets = identity.canManageAssets === true;
  if (!("userId" in identity)) return { workspace, canManageAssets };
  if (typeof identity.userId !== "string" || identity.userId === "") {
    throw new PanelFault(403, "ERR_FORBIDDEN");
  }
  return { workspace: workspace.forUser(identity.userId), canManageAssets };
}
