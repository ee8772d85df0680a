import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const fromItsFolder = createRequire(new URL("mem0/package.json", import.meta.url));
process.env.MEM0_TELEMETRY = "false";

/** mem0 is installed apart (`npm ci --prefix bench/peers/mem0`): it compiles a database, which needs a C++ compiler. */
export function hasMem0() {
  try {
    fromItsFolder.resolve("mem0ai/oss");
    return true;
  } catch {
    return false;
  }
}

export const mem0Path = () => pathToFileURL(fromItsFolder.resolve("mem0ai/oss")).href.replace(/js$/, "mjs");

export const importMem0 = () => import(mem0Path());
