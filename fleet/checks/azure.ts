import { Shared, type Check } from "./report.ts";

const examples = { resourceGroup: "rg-edge", location: "westeurope" };

/** Every cluster behind Azure Arc has a resource group and a location, its own or the fleet's. */
export const checkAzure: Check = ({ fleet, views, report }) => {
  const behindArc = fleet.clusters.filter(({ platform }) => platform === "arc");
  for (const field of ["resourceGroup", "location"] as const) {
    const lacking = behindArc.filter(({ arc }) => arc[field] === "").map(({ name }) => name);
    if (lacking.length === 0) continue;
    const allowed = `write arc.${field} for the whole fleet or for the cluster, such as ${examples[field]}`;
    if (lacking.length === behindArc.length && behindArc.length > 0) {
      report(["arc", field], `is missing, and no cluster has one of its own; ${allowed}`);
    } else {
      for (const name of lacking) report(["clusters", name, "arc", field], `is missing; ${allowed}`);
    }
  }
  const owners = new Map<string, { name: string; folder: string }>();
  for (const { name, arc, folder } of behindArc) {
    // Azure tells names apart regardless of upper and lower case.
    const key = `${arc.subscription ?? ""}/${arc.resourceGroup}/${arc.name}`.toLowerCase();
    const owner = owners.get(key);
    if (owner === undefined) owners.set(key, { name, folder });
    // With one folder as well, that is the finding.
    else if (owner.folder.toLowerCase() !== folder.toLowerCase()) {
      const message = `is the name of ${owner.name} to Azure, in the same resource group; rename one of them, or its arc.name`;
      report(["clusters", name], message, "key");
    }
  }
  for (const [index, { platform, agents }] of fleet.clusters.entries()) {
    if (platform === "arc" || agents === "present") continue;
    const holder = views[index]!.holders.findLast(({ entry }) => entry.agents !== undefined);
    report(
      [...(holder?.path ?? []), "agents"],
      "install connects a cluster to Azure Arc, and platform kubernetes is without Azure; drop agents, or write platform: arc",
    );
  }
  const shared = new Shared();
  for (const [index, { name, adopts, platform, agents }] of fleet.clusters.entries()) {
    if (adopts !== true || (platform === "arc" && agents === "present")) continue;
    const holder = views[index]!.holders.findLast(({ entry }) => entry.adopt !== undefined);
    shared.add(
      [...(holder?.path ?? []), "adopt"],
      "takes over what Azure has, and needs `agents: present` there: no stack can learn the key of agents that others installed; write both on those clusters",
      name,
    );
  }
  shared.report(report);
};
