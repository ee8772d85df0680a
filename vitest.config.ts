import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Two cores, real processes and real disks: time-outs only guard against a test that hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    // The settings page imports its style sheet as text, which Vitest otherwise leaves empty.
    css: true,
  },
});
