import { isOwnSource, type Cluster, type ClusterSet } from "../model.ts";
import { folder } from "../../values/repositoryPath.ts";
import { showSome } from "../../values/show.ts";
import { eachSet, type Taken } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

/**
 * Warns of sets of a cluster whose fields alone show that they build the same, and refuses a set in a flux folder, which only
 * the bootstrap of its cluster applies. Folders inside each other may share no object, so only a build can judge those.
 */
export const checkPaths: Check = (checked) => {
  const warnings = new Shared();
  const errors = new Shared();
  const flux = fluxFolders(checked.fleet.clusters);
  let twins = new Map<string, Taken[]>();
  let cluster: Cluster | undefined;
  eachSet(checked, (taken) => {
    if (cluster !== taken.cluster) {
      checkTwins(twins, warnings);
      twins = new Map();
      cluster = taken.cluster;
    }
    const path = `${folder(taken.set.spec.path)}/`.replace(/^\/$/, "");
    const key = keyOf(taken.set, path);
    const known = twins.get(key);
    if (known) known.push(taken);
    else twins.set(key, [taken]);
    checkFluxFolder(taken, path, flux, errors);
  });
  checkTwins(twins, warnings);
  warnings.report(checked.warn);
  errors.report(checked.report);
};

/** Fields of a Kustomization that decide which objects it makes of a folder. */
const shaping = ["targetNamespace", "namePrefix", "nameSuffix", "components", "patches", "postBuild"];

/** The same for sets that make the same objects of the same folder; a tenant's namespace or a prefix makes others. */
function keyOf({ sourceRef, spec }: ClusterSet, path: string): string {
  const { kind, name, namespace = "flux-system" } = sourceRef;
  return JSON.stringify([kind, namespace, name, path, ...shaping.map((field) => spec[field])]);
}

function checkTwins(twins: ReadonlyMap<string, readonly Taken[]>, warnings: Shared): void {
  for (const [first, ...others] of twins.values()) {
    if (first === undefined || others.length === 0) continue;
    const names = showSome(others.map(({ set }) => set.name));
    warnings.add(
      first.at("path"),
      `is the path of ${names} too, and each of them would apply it; give each its own`,
      first.cluster.name,
    );
  }
}

function checkFluxFolder({ cluster, set, at }: Taken, path: string, flux: FluxFolders, errors: Shared): void {
  if (!isOwnSource(cluster, set)) return;
  const around = ancestors(path).find((one) => flux.closed.has(one) || (flux.open.has(one) && one === path));
  if (around === undefined) return;
  errors.add(
    at("path"),
    `is in the flux folder ${around.replace(/\/$/, "")}, which the bootstrap applies; name another folder`,
    cluster.name,
  );
}

interface FluxFolders {
  /** Flux folders that hold nothing else. */
  readonly closed: ReadonlySet<string>;
  /** Those that are the cluster folder too, so that the cluster's own sets are below them. */
  readonly open: ReadonlySet<string>;
}

/** Of all clusters: what one has in its flux folder is for no other either. Folders end in /, the root is empty. */
function fluxFolders(clusters: readonly Cluster[]): FluxFolders {
  const closed = new Set<string>();
  const open = new Set<string>();
  for (const { fluxFolder, folder: around } of clusters)
    if (fluxFolder !== "") (fluxFolder === around ? open : closed).add(`${fluxFolder}/`);
  return { closed, open };
}

/** The folders above a folder and itself, the root first. */
function ancestors(path: string): string[] {
  const found = [""];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) found.push(path.slice(0, at + 1));
  return found;
}
