import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.spec.ts"],
    exclude: ["tests/e2e/**"],
    // Pulumi keeps process-wide state, so every file gets a process of its own.
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
