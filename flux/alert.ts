import { liveSources, windowedCopies, windowObject } from "../fleet/window/index.ts";
import { type Alert, type Cluster, type PlainMap, fluxNamespace } from "../fleet/model.ts";
import { tenantObject } from "../fleet/resolveTenants.ts";
import { ordered } from "./ordered.ts";
import type { YamlMap } from "./yaml.ts";

const apiVersion = "notification.toolkit.fluxcd.io/v1beta3";

/** Providers that put a status on the commit that was applied, instead of sending a message. */
export const commitStatusTypes: ReadonlySet<string> = new Set([
  "azuredevops",
  "bitbucket",
  "bitbucketserver",
  "gitea",
  "github",
  "gitlab",
]);

/** Fields in the order of Flux's documentation. */
const providerFields = [
  "type",
  "address",
  "channel",
  "username",
  "secretRef",
  "serviceAccountName",
  "certSecretRef",
  "proxySecretRef",
  "timeout",
  "suspend",
  "commitStatusExpr",
] as const;
const alertFields = [
  "summary",
  "providerRef",
  "eventSources",
  "eventMetadata",
  "eventSeverity",
  "exclusionList",
  "inclusionList",
  "suspend",
] as const;

/** What an alert reads of its cluster. */
type AlertCluster = Pick<
  Cluster,
  "name" | "config" | "follows" | "sources" | "windows" | "tenants" | "flux" | "sets"
>;

/** The Provider and the Alert of a cluster; none when the alert reports on no set. */
export function renderAlert(alert: Alert, cluster: AlertCluster): YamlMap[] {
  if (alert.sets.length === 0) return [];
  const metadata = { name: alert.name, namespace: fluxNamespace };
  return [
    {
      apiVersion,
      kind: "Provider",
      metadata,
      spec: ordered({ ...alert.provider, ...commitStatus(alert, cluster) }, providerFields),
    },
    {
      apiVersion,
      kind: "Alert",
      metadata,
      spec: ordered(
        {
          ...alert.spec,
          providerRef: { name: alert.name },
          eventSources: eventSources(alert, cluster),
          eventMetadata: eventMetadata(alert.spec["eventMetadata"], cluster),
        },
        alertFields,
      ),
    },
  ];
}

/**
 * The sets; and for an alert on everything the bootstrap, the sources and HelmReleases, since a set says nothing of a
 * source that cannot be fetched, nor of a chart that fails after it was applied. A status on a commit is about what was
 * applied of it, so that those providers get Kustomizations alone. Multi-tenancy lockdown forbids to look into other
 * namespaces: with it HelmReleases of flux-system alone are seen.
 */
function eventSources({ sets, everything, provider }: Alert, cluster: AlertCluster): PlainMap[] {
  const namespaces = new Map(cluster.sets.map(({ name, namespace }) => [name, namespace]));
  const own = [...sets].sort().map((name) => {
    const namespace = namespaces.get(name);
    return { kind: "Kustomization", name, ...(namespace !== undefined && { namespace }) };
  });
  if (everything !== true) return own;
  const { config, windows, tenants, flux } = cluster;
  const bootstrap = { kind: "Kustomization", name: `${config}-bootstrap` };
  if (commitStatusTypes.has(provider.type)) return [bootstrap, ...own];
  // One that only windowed sets take is on the cluster as the window's copy alone.
  const sources = [...liveSources(cluster), ...windowedCopies(cluster)];
  const targets = cluster.sets.flatMap(({ spec }) => {
    const target = spec["targetNamespace"];
    return typeof target === "string" && target !== fluxNamespace ? target : [];
  });
  const releasesIn = flux.lockdown ? [] : [...new Set(targets)].sort();
  return [
    { kind: "GitRepository", name: config },
    bootstrap,
    ...sources.map(({ kind, name }) => ({ kind, name })),
    ...windows.map(({ name }) => ({ kind: "GitRepository", name: windowObject(name) })),
    ...tenants.map(({ name }) => ({ kind: "Kustomization", name: tenantObject(name) })),
    ...own,
    { kind: "HelmRelease", name: "*" },
    ...releasesIn.map((namespace) => ({ kind: "HelmRelease", name: "*", namespace })),
  ];
}

/** Messages of a fleet should say which cluster they are of. */
function eventMetadata(own: Alert["spec"][string], cluster: Pick<Cluster, "name">): PlainMap {
  return { cluster: cluster.name, ...(own as PlainMap | undefined) };
}

/**
 * All clusters report on the same commits, and a later status of the same name replaces an earlier one. Flux tells them
 * apart by the UID of the Provider, which is new whenever the Provider is; the name of the cluster stays, and can be read.
 */
function commitStatus({ provider }: Alert, { name }: Pick<Cluster, "name">): PlainMap {
  if (!commitStatusTypes.has(provider.type) || provider["commitStatusExpr"] !== undefined) return {};
  return {
    commitStatusExpr: `${JSON.stringify(`${name}/`)} + (event.involvedObject.kind + "/" + event.involvedObject.name).lowerAscii()`,
  };
}
