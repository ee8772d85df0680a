import { createRequire } from "node:module";

/** Of the package, by its own name: where this file lies differs between the sources and both builds. */
export function version(): string {
  const require = createRequire(import.meta.url);
  const { version: installed } = require("langchain-cross-session-memory/package.json") as {
    version: string;
  };
  return installed;
}
