import type { ClusterSet } from "../model.ts";
import { folder } from "../repositoryPath.ts";
import { eachSet, type Taken } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

/**
 * No two sets of a cluster apply the same folder, and none is inside another's: both would apply it. A kustomization.yaml
 * in the outer folder may leave the inner one out, so these are warnings; but for the flux folder, which only the
 * bootstrap applies.
 */
export const checkPaths: Check = (checked) => {
  const warnings = new Shared();
  const errors = new Shared();
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

    const { kind, name } = set.sourceRef;
    const flux = `${cluster.fluxFolder}/`;
    if (kind !== "GitRepository" || name !== cluster.config || cluster.fluxFolder === "") return;
    if (path.startsWith(flux) && cluster.fluxFolder !== cluster.folder)
      errors.add(
        at("path"),
        `is in the flux folder ${cluster.fluxFolder}, which the bootstrap applies; name another folder`,
        cluster.name,
      );
    else if (flux.startsWith(path))
      warnings.add(
        at("path"),
        `holds the flux folder ${cluster.fluxFolder}, so the set may apply what the bootstrap applies; name another folder`,
        cluster.name,
      );
  });
  warnings.report(checked.warn);
  errors.report(checked.report);
};

function inside(outer: ClusterSet): string {
  return `is inside ${outer.spec.path}, the path of ${outer.name}, and both sets may apply it; name folders beside each other`;
}

function sourceOf({ sourceRef }: ClusterSet): string {
  return `${sourceRef.kind}/${sourceRef.namespace ?? "flux-system"}/${sourceRef.name}`;
}
