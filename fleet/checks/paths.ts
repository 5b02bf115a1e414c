import { isOwnSource, type Cluster, type ClusterSet } from "../model.ts";
import { folder } from "../../values/repositoryPath.ts";
import { showSome } from "../../values/show.ts";
import { eachSet, type Taken } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

/**
 * No two sets of a cluster apply the same folder, and none is inside another's: both would apply it. A kustomization.yaml
 * in the outer folder may leave the inner one out, so these are warnings; but for flux folders, which only the bootstrap
 * of their cluster applies. Linear in sets: each looks up the folders above its own.
 */
export const checkPaths: Check = (checked) => {
  const warnings = new Shared();
  const errors = new Shared();
  const flux = fluxFolders(checked.fleet.clusters);
  let places = new Map<string, Place>();
  let cluster: Cluster | undefined;
  eachSet(checked, (taken) => {
    if (cluster !== taken.cluster) {
      checkPlaces(places, warnings);
      places = new Map();
      cluster = taken.cluster;
    }
    const path = `${folder(taken.set.spec.path)}/`.replace(/^\/$/, "");
    const key = keyOf(taken.set, path);
    const place = places.get(key);
    if (place) place.sets.push(taken);
    else places.set(key, { path, sets: [taken] });
    checkFluxFolder(taken, path, flux, warnings, errors);
  });
  checkPlaces(places, warnings);
  warnings.report(checked.warn);
  errors.report(checked.report);
};

/** A folder of a source with the sets of a cluster that apply it into the same namespace under the same names. */
interface Place {
  /** With a slash at the end; the root is empty. */
  readonly path: string;
  readonly sets: Taken[];
}

/** Sets that put a folder into namespaces of their own, or under names of their own, do not meet: so do tenants. */
function keyOf(set: ClusterSet, path: string): string {
  const { kind, name, namespace = "flux-system" } = set.sourceRef;
  const { targetNamespace, namePrefix, nameSuffix } = set.spec;
  return JSON.stringify([kind, namespace, name, targetNamespace, namePrefix, nameSuffix, path]);
}

function checkPlaces(places: ReadonlyMap<string, Place>, warnings: Shared): void {
  const inside = new Map<Place, Taken[]>();
  for (const { path, sets } of places.values()) {
    const [first, ...others] = sets;
    if (first === undefined) continue;
    if (others.length > 0)
      warnings.add(
        first.at("path"),
        `is the path of ${namesOf(others)} too, and each of them would apply it; give each its own`,
        first.cluster.name,
      );
    for (const above of ancestors(path).slice(0, -1)) {
      const outer = places.get(keyOf(first.set, above));
      if (outer === undefined) continue;
      const known = inside.get(outer);
      if (known) known.push(first);
      else inside.set(outer, [first]);
    }
  }
  for (const [{ sets }, inner] of inside) {
    const outer = sets[0]!;
    warnings.add(
      outer.at("path"),
      `holds the paths of other sets, and both may apply them: ${namesOf(inner)}; name folders beside each other`,
      outer.cluster.name,
    );
  }
}

function namesOf(sets: readonly Taken[]): string {
  return showSome(sets.map(({ set }) => set.name));
}

function checkFluxFolder(
  { cluster, set, at }: Taken,
  path: string,
  flux: FluxFolders,
  warnings: Shared,
  errors: Shared,
): void {
  if (!isOwnSource(cluster, set)) return;
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
}

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
