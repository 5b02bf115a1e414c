import { chmodSync, rmSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "../makeFolder.ts";

/**
 * TMPDIR of the commands in a lab with clusters. Pulumi's Kubernetes provider writes a copy of its kubeconfig, key and
 * all, into it at every run and leaves it there.
 */
export function temporaryFolder(dir: string): string {
  return path.join(dir, "kubernetes-cache", "tmp");
}

/** Makes it, for its owner alone. */
export function makeTemporaryFolder(dir: string): void {
  const folder = temporaryFolder(dir);
  makeFolder(folder);
  chmodSync(folder, 0o700);
}

export function removeTemporaryFolder(dir: string): void {
  rmSync(temporaryFolder(dir), { recursive: true, force: true, maxRetries: 5 });
}
