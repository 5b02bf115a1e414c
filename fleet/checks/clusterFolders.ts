import { pathFault } from "../../values/repositoryPath.ts";
import { show, showNames } from "../../values/show.ts";
import type { Path } from "../finding.ts";
import { own } from "../layers.ts";
import type { Cluster } from "../model.ts";
import { fill, placeholders } from "../template.ts";
import { isWindowsDevice } from "../windowsName.ts";
import { valueAt } from "../withoutFaults.ts";
import type { Check, Report } from "./report.ts";

/**
 * Each cluster has a folder of its own, by its `folder` or by the layout, and none lies in another's: what one applies would
 * be the other's as well.
 */
export const checkClusterFolders: Check = ({ file, fleet, views, data, report }) => {
  const owners = new Map<string, Cluster>();
  const sound: { cluster: Cluster; path: Path; at?: "key" }[] = [];
  for (const [index, cluster] of fleet.clusters.entries()) {
    const { name, folder } = cluster;
    const stated = views[index]!.entry.folder;
    // A faulty one is a finding already, and the layout's would not be meant.
    if (stated === undefined && valueAt(data, ["clusters", name, "folder"]) !== undefined) continue;
    const path = ["clusters", name, ...(stated === undefined ? [] : ["folder"])];
    const at = stated === undefined ? "key" : undefined;
    if (stated !== undefined && folder === "") {
      report(path, "is the root of the repository; write a folder, such as clusters/tmp-mgmt");
      continue;
    }
    if (stated === undefined && (!isComplete(cluster, file.layout.cluster, report) || folder === ""))
      continue;
    // Sound parts may add up to what is none: `.{a}` with git for a.
    const fault =
      pathFault(folder) ??
      (folder.split("/").some(isWindowsDevice) ? "has a folder that Windows cannot store" : undefined);
    // A name that Windows cannot store is a finding of its own.
    if (fault !== undefined && (stated !== undefined || !isWindowsDevice(name)))
      report(path, stated === undefined ? `has the folder ${show(folder)}, which ${fault}` : fault, at);
    const owner = owners.get(folder.toLowerCase());
    if (owner === undefined) {
      owners.set(folder.toLowerCase(), cluster);
      sound.push({ cluster, path, ...(at && { at }) });
      continue;
    }
    const same = owner.folder === folder ? "the folder" : "but for upper and lower case, the folder";
    report(
      path,
      `has ${same} of ${owner.name}, ${owner.folder}; each cluster needs one of its own, so ${way(stated)}`,
      at,
    );
  }
  for (const { cluster, path, at } of sound) {
    const outer = ownerAbove(cluster.folder, owners);
    if (outer === undefined) continue;
    report(
      path,
      `puts ${cluster.folder} inside ${outer.folder}, the folder of ${outer.name}; write a folder beside it`,
      at,
    );
  }
};

function way(stated: string | undefined): string {
  return stated === undefined
    ? "rename it or write {cluster} or attributes that differ into layout.cluster"
    : "write another, or take it out";
}

/** The cluster that has a folder above this one. */
function ownerAbove(folder: string, owners: ReadonlyMap<string, Cluster>): Cluster | undefined {
  const parts = folder.toLowerCase().split("/");
  for (let depth = parts.length - 1; depth > 0; depth -= 1) {
    const owner = owners.get(parts.slice(0, depth).join("/"));
    if (owner !== undefined) return owner;
  }
  return undefined;
}

/** Whether a cluster has a sound value for each placeholder of the layout; reports those that it lacks. */
function isComplete(cluster: Cluster, layout: string, report: Report): boolean {
  const { name, attributes } = cluster;
  let complete = true;
  for (const [, attribute = ""] of layout.matchAll(/\{([^{}]*)\}/g)) {
    if (own(attributes, attribute)?.includes("/") !== true) continue;
    complete = false;
    report(
      ["clusters", name, "attributes", attribute],
      "has a /, and layout.cluster makes one folder of it; write it without, or take it out of layout.cluster",
    );
  }
  fill(layout, placeholders(cluster), (attribute) => {
    complete = false;
    if (attribute === "stage") {
      report(
        ["clusters", name, "stage"],
        "is missing, and layout.cluster has {stage}; write the stage",
        "key",
      );
      return;
    }
    report(
      ["clusters", name, "attributes", attribute],
      `is missing, and layout.cluster has ${show(`{${attribute}}`)}; write the attribute, or a label of that name (it has ${showNames(Object.keys({ ...cluster.labels, ...attributes })) || "none"})`,
      "key",
    );
  });
  return complete;
}
