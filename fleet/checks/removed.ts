import { probable } from "../../values/nearest.ts";
import { show } from "../../values/show.ts";
import type { Cluster } from "../model.ts";
import { removalOf, writeRemoval, type Removal } from "../removal.ts";
import { isApplied } from "../resolveSecrets.ts";
import { normalPath } from "../../values/repositoryPath.ts";
import { faultyName } from "../withoutFaults.ts";
import { declared, inClusters, type Check, type Checked } from "./report.ts";

/** What is said to be removed is in no cluster that the entry is about any more. */
export const checkRemoved: Check = (checked) => {
  const seen = new Set<string>();
  for (const [index, entry] of checked.file.removed.entries()) {
    if (entry === faultyName) continue;
    const removal = removalOf(entry);
    const key = JSON.stringify(removal);
    const message = seen.has(key)
      ? `${show(writeRemoval(removal))} is in the list already; keep one of them`
      : (unknownCluster(removal, checked) ?? stillDeclared(removal, checked.fleet.clusters));
    if (message !== undefined) checked.report(["removed", index], message);
    seen.add(key);
  }
};

/** Of a cluster that the fleet file does not have, nothing but the whole cluster can go. */
function unknownCluster(removal: Removal, checked: Checked): string | undefined {
  const { cluster } = removal;
  const known = declared(checked, "clusters");
  if (cluster === undefined || known.includes(cluster)) return undefined;
  const near = probable(cluster, known);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  return `${show(cluster)} is not a cluster of the fleet file; correct it or drop the entry.${hint}`;
}

function stillDeclared(removal: Removal, clusters: readonly Cluster[]): string | undefined {
  const { kind, name } = removal;
  const about =
    removal.cluster !== undefined ? clusters.filter((cluster) => cluster.name === removal.cluster) : clusters;
  if (kind === "cluster" || kind === "folder") {
    const there = about.find((cluster) => (kind === "cluster" ? cluster.name : cluster.folder) === name);
    if (there === undefined) return undefined;
    return kind === "cluster"
      ? `says that the cluster ${name} is removed, and the fleet file still has it; take the cluster out, or drop the entry`
      : `says that the folder ${name} is removed, and ${there.name} still has it; move the cluster, or drop the entry`;
  }
  if (about.length === 0 || !about.every((cluster) => has(cluster, removal))) return undefined;
  const names = inClusters(about.map((cluster) => cluster.name));
  const have = about.length === 1 ? "has" : "have";
  const from = "from" in removal && removal.from !== undefined ? ` from ${removal.from}` : "";
  return `says that the ${kind} ${name}${from} is removed, and ${names} still ${have} it; take the ${kind} out, or drop the entry`;
}

function has(cluster: Cluster, removal: Removal): boolean {
  const { kind, name } = removal;
  if (kind === "app") return cluster.apps.some((app) => app.name === name);
  if (kind === "window") return cluster.windows.some((window) => window.name === name);
  if (kind === "tenant") {
    const tenant = cluster.tenants.find((one) => one.name === name);
    return tenant !== undefined && (removal.from === undefined || tenant.namespaces.includes(removal.from));
  }
  if (kind === "secret") return (cluster.secrets ?? []).some((one) => one.key === name && isApplied(one));
  const set = cluster.sets.find((one) => one.name === name);
  if (kind !== "set" || removal.from === undefined) return set !== undefined;
  const { from } = removal;
  if (set === undefined) return false;
  const source = cluster.sources.find((one) => one.name === set.sourceRef.name);
  return [set.spec.path, set.sourceRef.name, source?.spec["url"]].some(
    (one) => one === from || one === normalPath(from),
  );
}
