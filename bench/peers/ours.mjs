import { cpSync, existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built = new URL("../../dist/", import.meta.url);
const installed = new URL("node_modules/langchain-cross-session-memory/dist/", import.meta.url);
const isInstalled = existsSync(new URL("node_modules/", import.meta.url));

/** What was installed beside the peers may be older than what is measured: it becomes what was built last. */
export function refresh() {
  if (!isInstalled) return;
  rmSync(installed, { recursive: true, force: true });
  cpSync(fileURLToPath(built), fileURLToPath(installed), { recursive: true });
}

/** Ours is installed beside the peers, so that all of them share one LangChain; without the peers it is the built one. */
export const oursPath = (path) => new URL(path, isInstalled ? installed : built).href;

export async function load() {
  const [root, middleware] = await Promise.all(
    ["index.mjs", "middleware/index.mjs"].map((path) => import(oursPath(path))),
  );
  return { ...root, ...middleware };
}
