import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: join(import.meta.dirname, "..", ".."),
    include: ["tests/e2e/**/*.spec.ts"],
    pool: "forks",
    // One file at a time: a cluster takes most of a small machine's memory and cores.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});
