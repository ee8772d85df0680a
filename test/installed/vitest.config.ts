import { defineConfig } from "vitest/config";

/** `npm run check:installed`: apart from `npm test`, for it asks the registry what is newest and installs it. */
export default defineConfig({
  test: {
    include: ["test/installed/*.check.ts"],
    globalSetup: ["test/installed/pack-once.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // An installation or a bundle takes a core, and the network between.
    maxWorkers: 2,
  },
});
