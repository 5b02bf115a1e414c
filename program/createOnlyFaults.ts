import { isBroughtByUpdate } from "../fleet/management.ts";
import type { Cluster } from "../fleet/model.ts";
import { regionKey } from "../values/region.ts";
import { showSome } from "../values/show.ts";
import { type FormerCluster, formerOf } from "./formerClusters.ts";

/** Azure regions of clusters by name, as Azure says it; absent where it does not. */
export type Locations = ReadonlyMap<string, string>;

const anew = "or retire it and connect it anew under another name";

/**
 * Changes that no update can make in place, protected or not: Pulumi would delete what is there, and Flux all that it
 * applies. Each with the words that keep it, once for all clusters. `former` are the clusters of the last update.
 */
export function createOnlyFaults(
  clusters: readonly Cluster[],
  former: Readonly<Record<string, FormerCluster>>,
  locations: Locations = new Map(),
): string[] {
  const faults = clusters.flatMap((cluster) => {
    const { name, lifecycle } = cluster;
    const before = formerOf(cluster, former);
    if (before === undefined || lifecycle === "lost") return [];
    const fault =
      platformFault(cluster, before) ??
      placeFault(cluster, before) ??
      locationFault(cluster, locations.get(name) ?? before.arc?.location) ??
      configFault(cluster, before);
    return fault === undefined ? [] : [{ name, fault }];
  });
  return [...Map.groupBy(faults, ({ fault }) => fault)].map(
    ([fault, alike]) => `${showSome(alike.map(({ name }) => name))}: ${fault}`,
  );
}

function platformFault(cluster: Cluster, before: FormerCluster): string | undefined {
  const { platform, agents, managedBy } = cluster;
  if (before.bootstrap !== undefined && !isBroughtByUpdate(cluster))
    return refused(
      "An update made its bootstrap, which would go now, and with it all that Flux applied",
      managedBy === undefined ? "it without `flux.sync: self`" : "it without `managedBy`",
    );
  const was = before.arcId !== undefined ? "arc" : "kubernetes";
  if (before.bootstrap !== undefined && was !== platform)
    return refused(`A cluster cannot change its platform`, `\`platform: ${was}\``);
  if (platform === "arc" && before.arc?.agents === "install" && agents === "present")
    return refused("Without `agents: install` the update would delete it in Azure", "`agents: install`");
  return undefined;
}

function placeFault(
  { platform, arc }: Cluster,
  { arcId = "", arc: said }: FormerCluster,
): string | undefined {
  const before = inAzure(arcId);
  if (platform !== "arc" || before === undefined) return undefined;
  const wasSubscription = said?.subscription;
  if (wasSubscription !== arc.subscription)
    return refused(
      "Azure cannot move a connected cluster to another subscription, and naming one anew would replace it",
      wasSubscription === undefined
        ? "it without `arc.subscription`"
        : `it with \`arc: { subscription: ${wasSubscription} }\``,
    );
  if (before.group.toLowerCase() !== arc.resourceGroup.toLowerCase())
    return refused(
      "Azure cannot move a connected cluster to another resource group",
      `\`arc: { resourceGroup: ${before.group} }\``,
    );
  if (before.name.toLowerCase() !== arc.name.toLowerCase())
    return refused(
      "Azure cannot rename a connected cluster",
      `its name there with \`arc: { name: ${before.name} }\``,
    );
  return undefined;
}

/** Only who connects a cluster says where it is. */
function locationFault({ platform, agents, arc }: Cluster, before: string | undefined): string | undefined {
  if (platform !== "arc" || agents === "present" || before === undefined) return undefined;
  if (regionKey(before) === regionKey(arc.location)) return undefined;
  return refused(
    "Azure cannot move a connected cluster to another region",
    `\`arc: { location: ${regionKey(before)} }\``,
  );
}

function configFault({ config }: Cluster, { bootstrap }: FormerCluster): string | undefined {
  const before = bootstrap?.replace(/-bootstrap$/, "");
  if (before === undefined || before === config) return undefined;
  return `A Flux configuration cannot be renamed: the old one would go, and all that its sets applied. Nothing was changed. Keep \`config: ${before}\`.`;
}

function refused(what: string, keep: string): string {
  return `${what}. Nothing was changed. Keep ${/^its? /.test(keep) ? keep : `it with ${keep}`}, ${anew}.`;
}

/** Resource group and name in the id of a connected cluster. */
function inAzure(arcId: string): { readonly group: string; readonly name: string } | undefined {
  const [, group, name] = /\/resourceGroups\/([^/]+)\/.*\/connectedClusters\/([^/]+)/i.exec(arcId) ?? [];
  return group === undefined || name === undefined ? undefined : { group, name };
}
