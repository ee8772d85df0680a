import { defineConfig } from "tsdown";

export default defineConfig({
  entry: ["src/index.ts", "src/middleware/index.ts", "src/tools/index.ts"],
  format: ["esm", "cjs"],
  // One output file a source file: an error class then exists once in each build, and an app loads only what it imports.
  unbundle: true,
  platform: "node",
  target: "node20",
  dts: true,
  sourcemap: true,
  clean: true,
});
