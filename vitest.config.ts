import { availableParallelism } from "node:os";

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.spec.ts"],
    exclude: ["tests/e2e/**"],
    // Pulumi keeps process-wide state, so every file gets a process of its own.
    pool: "forks",
    // Two also on two cores, where vitest would take one: a spec mostly waits for a program that it has started.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Hung, not slow: a busy machine is no fault, and no test depends on time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
