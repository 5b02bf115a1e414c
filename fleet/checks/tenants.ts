import { asList, asMap, asText } from "../../values/maps.ts";
import { show, showNames } from "../../values/show.ts";
import type { Path } from "../finding.ts";
import { own } from "../layers.ts";
import { type Cluster, type ClusterSet, fluxNamespace, isOwnSource } from "../model.ts";
import { clusterKeySecret } from "../resolveSecrets.ts";
import { tenantObject } from "../resolveTenants.ts";
import { eachSet, type Taken } from "./eachSet.ts";
import { Shared, type Check, type Checked } from "./report.ts";

/** What keeps tenants apart: namespaces of their own, sources and secrets of their own, and Flux's lockdown. */
export const checkTenants: Check = (checked) => {
  const shared = new Shared();
  checkNamespaces(checked, shared);
  checkSecrets(checked, shared);
  const readers: Reader[] = [];
  eachSet(checked, (taken) => {
    if (taken.set.tenant !== undefined) checkSet(checked, taken, taken.set.tenant, shared);
    if (taken.cluster.tenants.length === 0) return;
    const read = secretsOf(taken);
    readers.push(...read);
    if (taken.set.tenant !== undefined) checkOwnSecrets(checked, read, taken.set.tenant, shared);
  });
  checkReaders(readers, shared);
  shared.report(checked.report);
};

/** Secrets of flux-system that Flux reads for the platform: no tenant's set may name them, whatever its entry says. */
function ofPlatform({ config }: Cluster): readonly string[] {
  return [clusterKeySecret, `${config}-auth`, `${config}-protected-parameters`];
}

function checkSecrets({ file, fleet }: Checked, shared: Shared): void {
  for (const cluster of fleet.clusters)
    for (const { name } of cluster.tenants)
      for (const [index, secret] of (file.tenants[name]?.secrets ?? []).entries())
        if (ofPlatform(cluster).includes(secret))
          shared.add(
            ["tenants", name, "secrets", index],
            `${show(secret)} is the platform's: with it the tenant could read every secret of the cluster, or the fleet's repository; give the tenant one of its own`,
            cluster.name,
          );
}

/** What a set names of flux-system has to be given to its tenant: all that lies there is the platform's otherwise. */
function checkOwnSecrets({ file }: Checked, read: readonly Reader[], tenant: string, shared: Shared): void {
  const entry = own(file.tenants, tenant);
  if (entry === undefined) return;
  for (const { taken, secret, at, use } of read)
    if (entry.secrets?.includes(secret) !== true)
      shared.add(
        taken.at(...at),
        `${use} Secret ${show(secret)} of flux-system, which is not tenant ${tenant}'s; drop it, or add one that is the tenant's own to tenants.${tenant}.secrets`,
        taken.cluster.name,
      );
}

function checkNamespaces({ file, fleet, views }: Checked, shared: Shared): void {
  for (const [index, cluster] of fleet.clusters.entries()) {
    const owners = new Map<string, string>();
    for (const { name, namespaces } of cluster.tenants) {
      for (const namespace of namespaces) {
        const at = ["tenants", name, "namespaces", file.tenants[name]!.namespaces.indexOf(namespace)];
        const owner = owners.get(namespace);
        if (isPlatforms(namespace))
          shared.add(
            at,
            `${show(namespace)} is the platform's; give the tenant one of its own`,
            cluster.name,
          );
        else if (owner !== undefined)
          shared.add(
            at,
            `${show(namespace)} is tenant ${owner}'s on the same cluster, and each could read the other's secrets; give each its own`,
            cluster.name,
          );
        owners.set(namespace, name);
      }
    }
    if (cluster.tenants.length === 0 || cluster.flux.lockdown) continue;
    const holder = views[index]!.holders.findLast(({ entry }) => entry.flux?.lockdown !== undefined);
    shared.add(
      [...(holder?.path ?? []), "flux", "lockdown"],
      `is false, and then a Kustomization in a tenant's namespace is applied with all of Flux's rights; write true, or take ${showNames(cluster.tenants.map(({ name }) => name))} off the cluster`,
      cluster.name,
    );
  }
}

/** Namespaces of Kubernetes, Flux and Azure, which agents and extensions live in: a tenant that goes takes its own along. */
function isPlatforms(namespace: string): boolean {
  return (
    [fluxNamespace, "default", "gatekeeper-system", "arc-osm-system"].includes(namespace) ||
    /^(kube|azure-arc|azure-extensions)(-|$)/.test(namespace)
  );
}

function checkSet({ file }: Checked, { cluster, set, at }: Taken, name: string, shared: Shared): void {
  // One that is declared nowhere is told by references.ts.
  if (own(file.tenants, name) === undefined) return;
  const add = (inner: Path, message: string) => shared.add(at(...inner), message, cluster.name);
  const tenant = cluster.tenants.find((one) => one.name === name);
  if (tenant === undefined) {
    add(
      ["tenant"],
      `${name} is not on the cluster by its match; match the cluster in tenants.${name}, or take the set off it`,
    );
    return;
  }
  const { spec } = set;
  const theirs = showNames(tenant.namespaces, 5);
  const inside = (namespace: string | undefined) =>
    namespace === undefined || tenant.namespaces.includes(namespace);

  const account = tenantObject(name);
  if (spec["serviceAccountName"] !== account)
    add(["serviceAccountName"], `is not ${account}, which sets of the tenant are applied as; drop it`);
  const target = asText(spec["targetNamespace"]);
  if (!inside(target))
    add(
      ["targetNamespace"],
      `${show(target)} is not tenant ${name}'s; write one of its namespaces: ${theirs}`,
    );
  for (const [index, check] of asList(spec["healthChecks"]).entries()) {
    const namespace = asText(asMap(check)["namespace"]);
    if (!inside(namespace))
      add(
        ["healthChecks", index, "namespace"],
        `${show(namespace)} is not tenant ${name}'s, and its account may not look there, so the set would never be ready; write one of: ${theirs}`,
      );
  }
  if (spec["kubeConfig"] !== undefined)
    add(["kubeConfig"], `takes the set to a cluster that does not know ${account}; drop it, or the tenant`);
  if (isOwnSource(cluster, set) && set.sourceRef.name === cluster.config) return;
  const { kind, name: source } = set.sourceRef;
  const declared = cluster.sources.some((one) => one.kind === kind && one.name === source);
  if (declared && tenant.sources.includes(source)) return;
  const field = declared ? "source" : "sourceRef";
  add(
    [field],
    `${show(source)} is not among the sources of tenant ${name}; ${declared ? `add it to tenants.${name}.sources` : "declare it under sources and let the tenant take it"}, or take another`,
  );
}

/** A Secret of flux-system that Flux reads for a set. */
interface Reader {
  readonly taken: Taken;
  readonly secret: string;
  readonly at: Path;
  readonly use: "reads" | "decrypts with";
}

/** Flux reads these with its own rights, so nothing but their name keeps tenants apart. */
function secretsOf(taken: Taken): Reader[] {
  const { spec } = taken.set;
  const read = asList(asMap(spec["postBuild"])["substituteFrom"]).flatMap((entry, index): Reader[] => {
    const { kind, name } = asMap(entry);
    if (kind !== "Secret" || typeof name !== "string") return [];
    return [{ taken, secret: name, at: ["postBuild", "substituteFrom", index], use: "reads" }];
  });
  const key = asText(asMap(asMap(spec["decryption"])["secretRef"])["name"]);
  return key === undefined
    ? read
    : [...read, { taken, secret: key, at: ["decryption", "secretRef"], use: "decrypts with" }];
}

/** A Secret that a tenant's set shares with a set of somebody else on the cluster. */
function checkReaders(readers: readonly Reader[], shared: Shared): void {
  const byCluster = Map.groupBy(readers, ({ taken, secret }) => JSON.stringify([taken.cluster.name, secret]));
  for (const all of byCluster.values()) {
    for (const { taken, secret, at, use } of all) {
      const { set, cluster } = taken;
      if (set.tenant === undefined) continue;
      const other = all.find((one) => one.taken.set.tenant !== set.tenant);
      if (other === undefined) continue;
      const why =
        use === "decrypts with"
          ? "a tenant could copy another's encrypted file and read it"
          : "the tenant would read what is not its own";
      shared.add(
        taken.at(...at),
        `${use} Secret ${show(secret)}, as ${whose(other.taken.set, cluster)} does: ${why}; give the tenant a Secret of its own`,
        cluster.name,
      );
    }
  }
}

function whose({ name, tenant }: ClusterSet, { tenants }: Cluster): string {
  const known = tenants.some((one) => one.name === tenant);
  return known ? `set ${name} of tenant ${tenant}` : `set ${name}`;
}
