import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { processesNote } from "./clusterFiles.ts";
import { endLeftovers } from "./leftovers.ts";

/** Where a lab keeps its clusters, one folder each. */
export function clustersFolder(dir: string): string {
  return path.join(dir, "clusters");
}

/** Ends and removes what the clusters of an earlier lab in this folder have left. */
export async function endLeftoverClusters(dir: string): Promise<void> {
  const folder = clustersFolder(dir);
  if (!existsSync(folder)) return;
  const names = readdirSync(folder);
  await Promise.all(names.map((name) => endLeftovers(processesNote(path.join(folder, name)))));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
