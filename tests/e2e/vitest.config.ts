import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: join(import.meta.dirname, "..", ".."),
    include: ["tests/e2e/**/*.spec.ts"],
    pool: "forks",
    // A file has up to two clusters of 1 GB each, and mostly waits for them: two files at a time where they fit.
    maxWorkers: availableParallelism() > 1 && totalmem() > 7e9 ? 2 : 1,
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});
