import { MemoryError } from "../errors.js";
import type { Settings } from "../workspace/index.js";
import type { PanelOptions } from "./options.js";
import { PanelFault } from "./panel-fault.js";
import { readPreview } from "./preview.js";
import { readCall } from "./request-guard.js";
import { json, text, unlessKnown } from "./responses.js";
import { readState } from "./state.js";
import type { Viewer } from "./viewer.js";

export interface ApiRequest {
  readonly request: Request;
  readonly options: PanelOptions;
  readonly viewer: Viewer;
  readonly name: string;
}

type Body = Readonly<Record<string, unknown>>;
type Call = (body: Body, viewer: Viewer, options: PanelOptions) => Promise<unknown>;

/** What a person may do with their own memories. */
const calls: Readonly<Record<string, Call>> = {
  "add-memory": async ({ content, allowSecret = false }, { workspace }) => {
    const former = new Set((await workspace.memories.list()).map(({ id }) => id));
    const item = await workspace.memories.add(content as string, { allowSecret: boolean(allowSecret) });
    return { item, isNew: !former.has(item.id) };
  },
  "edit-memory": async ({ id, content, allowSecret = false }, { workspace }) => ({
    item: await workspace.memories.update(string(id), content as string, {
      allowSecret: boolean(allowSecret),
    }),
  }),
  "delete-memory": async ({ id }, { workspace }) => ({
    removed: await workspace.memories.remove(string(id)),
  }),
  "pin-memory": async ({ id, pinned }, { workspace }) => ({
    item: await workspace.memories.setPinned(string(id), boolean(pinned)),
  }),
  "accept-candidate": async ({ id, content, allowSecret = false }, { workspace }) => ({
    item: await workspace.candidates.accept(string(id), {
      content: content === undefined ? undefined : string(content),
      allowSecret: boolean(allowSecret),
    }),
  }),
  "reject-candidate": async ({ id }, { workspace }) => ({
    rejected: await workspace.candidates.reject(string(id)),
  }),
  "restore-memory": async ({ id }, { workspace }) => ({
    item: await workspace.memories.restore(string(id)),
  }),
  "clear-memories": async ({ waiting = false }, { workspace }) => ({
    cleared: await workspace.memories.clear({ waiting: boolean(waiting) }),
  }),
  "remove-session": async ({ sessionId, learned = false }, { workspace }) => ({
    removed: await workspace.sessions.remove(string(sessionId), { learned: boolean(learned) }),
  }),
  "change-settings": async (patch, { workspace, canManageAssets }) => {
    const allowed: readonly string[] = canManageAssets ? [...ownSettings, ...assetSettings] : ownSettings;
    if (!Object.keys(patch).every((name) => allowed.includes(name)))
      throw new PanelFault(403, "ERR_FORBIDDEN");
    await workspace.settings.update(patch as Partial<Settings>);
    return {};
  },
};

/** What only the owner of the app may do. */
const assetCalls: Readonly<Record<string, Call>> = {
  "switch-file": async ({ kind, filename, enabled }, { workspace }) => {
    await workspace[assetKind(kind)].setEnabled(string(filename), boolean(enabled));
    return {};
  },
  "preview-file": ({ kind, filename }, { workspace }) =>
    readPreview(workspace, assetKind(kind), string(filename)),
  "open-folder": async ({ kind }, { workspace }, { openFolder }) => {
    if (openFolder === undefined) throw new PanelFault(403, "ERR_FORBIDDEN");
    await openFolder(await workspace[assetKind(kind)].directory());
    return {};
  },
};

const ownSettings: readonly (keyof Settings)[] = ["aiMemoryEnabled", "aiMemoryLimit"];
const assetSettings: readonly (keyof Settings)[] = ["aiRulesEnabled", "aiSkillsEnabled"];

export async function answerApi({ request, options, viewer, name }: ApiRequest): Promise<Response> {
  if (name === "state" && (request.method === "GET" || request.method === "HEAD")) {
    const state = JSON.stringify(await readState(viewer, options));
    return unlessKnown(request, state, (etag) => text(state, "application/json", { etag }));
  }
  const isAssetCall = Object.hasOwn(assetCalls, name);
  const call = isAssetCall ? assetCalls[name] : Object.hasOwn(calls, name) ? calls[name] : undefined;
  if (call === undefined) throw new PanelFault(404, "ERR_REQUEST_INVALID");
  if (request.method !== "POST") throw new PanelFault(405, "ERR_REQUEST_INVALID");
  const body = await readCall(request, options.origins);
  if (isAssetCall && !viewer.canManageAssets) throw new PanelFault(403, "ERR_FORBIDDEN");
  return json(await call(body, viewer, options));
}

function string(value: unknown): string {
  if (typeof value !== "string") throw new PanelFault(400, "ERR_REQUEST_INVALID");
  return value;
}

function boolean(value: unknown): boolean {
  if (typeof value !== "boolean") throw new PanelFault(400, "ERR_REQUEST_INVALID");
  return value;
}

function assetKind(value: unknown): "rules" | "skills" {
  if (value !== "rules" && value !== "skills") throw new MemoryError("ERR_ASSET_NOT_FOUND", "no such kind");
  return value;
}
