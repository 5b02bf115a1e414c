import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** What the engine is called in the cache, where set-up puts it; see scripts/setup/cache.mjs for what lies there. */
export const engineTool = { name: "flux-build", binary: "engine.wasm" };

/**
 * The version of the engine that a folder of Go files makes: that of kustomize, and a checksum of the recipe, since
 * each change of it makes another engine. Plain JavaScript, since set-up asks too.
 */
export function engineVersion(folder) {
  const hash = createHash("sha256");
  const names = readdirSync(folder).filter((name) => /\.(go|mod|sum)$/.test(name));
  for (const name of names.sort()) {
    // A clone on Windows may have other line endings.
    const text = readFileSync(join(folder, name), "utf8").replace(/\r\n/g, "\n");
    hash.update(`${name}\0${text}\0`);
  }
  const module = readFileSync(join(folder, "go.mod"), "utf8");
  const kustomize = /sigs\.k8s\.io\/kustomize\/api v(\S+)/.exec(module)?.[1] ?? "0";
  return `${kustomize}-${hash.digest("hex").slice(0, 12)}`;
}
