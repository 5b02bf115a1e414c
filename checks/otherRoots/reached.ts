import { normalFolder } from "../../build/index.ts";
import type { Cluster } from "../../fleet/model.ts";
import type { ClusterSubject } from "../../judge/index.ts";
import { showSome } from "../../values/show.ts";
import type { Fault } from "../fault.ts";
import { foldersDownTo } from "../foldersDownTo.ts";

/** Errors for sets whose folder holds the flux folder of another cluster: that cluster's sets would run here too. */
export function reached(
  clusters: readonly ClusterSubject[],
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
): Fault[] {
  const owners = new Map<string, Cluster>();
  const above = new Set<string>();
  for (const [cluster, files] of rendered) {
    for (const file of files.keys()) owners.set(file, cluster);
    for (const folder of foldersDownTo(cluster.fluxFolder)) above.add(folder);
  }
  const found = new Map<string, { set: string; at: Cluster; path: string; others: Set<string> }>();
  for (const { cluster, subjects } of clusters)
    for (const { set, files, isBootstrap, content } of subjects) {
      const path = normalFolder(set.spec.path);
      if (isBootstrap || !above.has(path) || found.has(content)) continue;
      const others = new Set(
        files.map((file) => owners.get(file)).filter((owner) => owner !== undefined && owner !== cluster),
      );
      if (others.size === 0) continue;
      const names = new Set([...others].map((other) => other!.name));
      found.set(content, { set: set.name, at: cluster, path, others: names });
    }
  return [...found.values()].map(({ set, at, path, others }) => ({
    severity: "error",
    path: ["clusters", at.name, "sets", set],
    message:
      `applies ${path || "the root"}, and with it the generated files of ${showSome(others)}: ${at.name} would run those sets ` +
      "too. Give the set a folder of its own, or list what it takes in a kustomization.yaml there.",
  }));
}
