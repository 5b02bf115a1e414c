import type { Cluster } from "../fleet/model.ts";
import type { FluxMinor } from "../values/fluxVersions.ts";
import { type CrdKind, crdKinds } from "./crd/kinds.ts";
import { changesOf, type FieldChange, minorsBetween } from "./crd/upgrade.ts";
import { fluxObjects } from "./folder.ts";
import { renderKustomization } from "./kustomization.ts";

/** A change for one object of a cluster. */
export interface ObjectChange extends FieldChange {
  /** `Kustomization pos`. */
  readonly object: string;
}

/** What newer versions of Flux change for what Arcflux generates for a cluster, by the CRDs of each version. */
export function upgradeOf(cluster: Cluster, from: FluxMinor, to: FluxMinor): ObjectChange[] {
  if (minorsBetween(from, to).length === 0) return [];
  const windowed = cluster.sets.filter(({ window }) => window !== undefined).map(renderKustomization);
  const objects = [...fluxObjects(cluster, false).flatMap(([, documents]) => documents), ...windowed];
  return objects.flatMap(({ kind, metadata, spec }) => {
    if (typeof kind !== "string" || !Object.hasOwn(crdKinds, kind)) return [];
    const { name } = metadata as { readonly name: string };
    return changesOf(kind as CrdKind, spec, from, to).map((change) => ({
      object: `${kind} ${name}`,
      ...change,
    }));
  });
}
