import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: join(import.meta.dirname, "..", ".."),
    include: ["tests/e2e/**/*.spec.ts"],
    // One cluster at a time: they share the machine's ports and memory.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});
