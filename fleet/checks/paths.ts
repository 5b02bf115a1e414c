import type { Cluster, ClusterSet } from "../model.ts";
import { folder } from "../../values/repositoryPath.ts";
import { eachSet, type Taken } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

/**
 * No two sets of a cluster apply the same folder, and none is inside another's: both would apply it. A kustomization.yaml
 * in the outer folder may leave the inner one out, so these are warnings; but for flux folders, which only the bootstrap
 * of their cluster applies.
 */
export const checkPaths: Check = (checked) => {
  const warnings = new Shared();
  const errors = new Shared();
  const flux = fluxFolders(checked.fleet.clusters);
  let known: { taken: Taken; path: string }[] = [];
  eachSet(checked, (taken) => {
    const { cluster, set, at } = taken;
    if (known[0]?.taken.cluster !== cluster) known = [];
    const path = `${folder(set.spec.path)}/`.replace(/^\/$/, "");
    for (const other of known) {
      if (sourceOf(other.taken.set) !== sourceOf(set)) continue;
      if (other.path === path)
        warnings.add(
          at("path"),
          `is the path of ${other.taken.set.name} too, and both sets would apply it; give each its own`,
          cluster.name,
        );
      else if (path.startsWith(other.path)) warnings.add(at("path"), inside(other.taken.set), cluster.name);
      else if (other.path.startsWith(path)) warnings.add(other.taken.at("path"), inside(set), cluster.name);
    }
    known.push({ taken, path });

    if (!isOwnRepository(taken)) return;
    const around = ancestors(path).find((one) => flux.closed.has(one)) ?? flux.open.get(path);
    const held = flux.above.get(path);
    if (around !== undefined)
      errors.add(
        at("path"),
        `is in the flux folder ${around.replace(/\/$/, "")}, which the bootstrap applies; name another folder`,
        cluster.name,
      );
    else if (held !== undefined)
      warnings.add(
        at("path"),
        `holds ${held}, so the set may apply what the bootstrap applies; name another folder`,
        cluster.name,
      );
  });
  warnings.report(checked.warn);
  errors.report(checked.report);
};

interface FluxFolders {
  /** Flux folders that hold nothing else. */
  readonly closed: ReadonlySet<string>;
  /** Those that are the cluster folder too, so that the cluster's own sets are below them; by themselves. */
  readonly open: ReadonlyMap<string, string>;
  /** What of flux folders is below each folder above one, in words. */
  readonly above: ReadonlyMap<string, string>;
}

/** Of all clusters: what one has in its flux folder is for no other either. Folders end in /, the root is empty. */
function fluxFolders(clusters: readonly Cluster[]): FluxFolders {
  const closed = new Set<string>();
  const open = new Map<string, string>();
  const below = new Map<string, string[]>();
  for (const cluster of clusters) {
    if (cluster.fluxFolder === "") continue;
    const path = `${cluster.fluxFolder}/`;
    if (cluster.fluxFolder === cluster.folder) open.set(path, path);
    else closed.add(path);
    for (const one of ancestors(path).slice(0, -1)) {
      const there = below.get(one);
      if (there) there.push(cluster.fluxFolder);
      else below.set(one, [cluster.fluxFolder]);
    }
  }
  const words = (folders: readonly string[]) =>
    folders.length === 1
      ? `the flux folder ${folders[0]!}`
      : `${folders.length} flux folders, ${folders[0]!} among them`;
  return { closed, open, above: new Map([...below].map(([path, folders]) => [path, words(folders)])) };
}

/** The folders above a folder and itself, the root first. */
function ancestors(path: string): string[] {
  const found = [""];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) found.push(path.slice(0, at + 1));
  return found;
}

/** Whether a set comes from the fleet's own repository, at whatever revision. */
function isOwnRepository({ cluster, set: { sourceRef } }: Taken): boolean {
  if (sourceRef.kind !== "GitRepository") return false;
  return (
    sourceRef.name === cluster.config ||
    cluster.sources.some(
      ({ kind, name, self }) => kind === "GitRepository" && name === sourceRef.name && self,
    )
  );
}

function inside(outer: ClusterSet): string {
  return `is inside ${outer.spec.path}, the path of ${outer.name}, and both sets may apply it; name folders beside each other`;
}

function sourceOf({ sourceRef }: ClusterSet): string {
  return `${sourceRef.kind}/${sourceRef.namespace ?? "flux-system"}/${sourceRef.name}`;
}
