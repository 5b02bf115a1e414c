import { type Alert, type Cluster, type PlainMap, fluxNamespace } from "../fleet/model.ts";
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

/** The Provider and the Alert of a cluster; none when the alert reports on no set. */
export function renderAlert(alert: Alert, cluster: Pick<Cluster, "name">): YamlMap[] {
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
          eventSources: [...alert.sets].sort().map((name) => ({ kind: "Kustomization", name })),
          eventMetadata: eventMetadata(alert.spec["eventMetadata"], cluster),
        },
        alertFields,
      ),
    },
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
