import { folder, pathFault } from "../../values/repositoryPath.ts";
import { show, showNames } from "../../values/show.ts";
import { tenantsFolder } from "../resolveTenants.ts";
import { fill, placeholders } from "../template.ts";
import { windowsFolder } from "../window/resolveWindows.ts";
import { isWindowsDevice } from "../windowsName.ts";
import { own } from "../layers.ts";
import type { Check } from "./report.ts";

/** Folders of the layout: one of its own for each cluster, and no manifests where the generated files go. */
export const checkFolders: Check = ({ file, fleet, data, report, warn }) => {
  const flux = folder(file.layout.flux);
  const sets = folder(file.layout.sets);
  const isRoot = folder(file.layout.cluster) === "";
  if (isRoot) {
    report(
      ["layout", "cluster"],
      "is the root of the repository; write a folder, such as clusters/{cluster}",
    );
  }
  // In the cluster folder itself a kustomization.yaml lists what is ours; elsewhere Flux applies all it finds.
  if (flux !== "" && `${sets}/`.startsWith(`${flux}/`)) {
    report(
      ["layout", "sets"],
      `is inside layout.flux, where Flux would apply the sets' manifests by the bootstrap; write another folder, such as sets`,
    );
  }
  if (flux === "" && sets === "") {
    report(["layout", "sets"], "is the flux folder itself; write a folder below it, such as sets");
  }

  for (const [key, value] of [
    ["flux", flux],
    ["sets", sets],
  ] as const) {
    for (const [own, what] of [
      [windowsFolder, "the sets of windows are"],
      [tenantsFolder, "what tenants are given is"],
    ] as const)
      if (value === own || value.startsWith(`${own}/`))
        report(["layout", key], `is where ${what} written; write another folder, such as ${key}`);
  }

  const owners = new Map<string, { name: string; folder: string }>();
  for (const cluster of fleet.clusters) {
    const { name, folder, attributes } = cluster;
    let complete = true;
    for (const [, attribute = ""] of file.layout.cluster.matchAll(/\{([^{}]*)\}/g)) {
      if (own(attributes, attribute)?.includes("/") !== true) continue;
      complete = false;
      report(
        ["clusters", name, "attributes", attribute],
        "has a /, and layout.cluster makes one folder of it; write it without, or take it out of layout.cluster",
      );
    }
    fill(file.layout.cluster, placeholders(cluster), (attribute) => {
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
    if (!complete || isRoot) continue;
    // Sound parts may add up to what is none: `.{a}` with git for a.
    const fault =
      pathFault(folder) ??
      (folder.split("/").some(isWindowsDevice) ? "has a folder that Windows cannot store" : undefined);
    // A name that Windows cannot store is a finding of its own.
    if (fault !== undefined && !isWindowsDevice(name))
      report(["clusters", name], `has the folder ${show(folder)}, which ${fault}`, "key");
    const owner = owners.get(folder.toLowerCase());
    if (owner === undefined) owners.set(folder.toLowerCase(), { name, folder });
    else {
      const same = owner.folder === folder ? "the folder" : "but for upper and lower case, the folder";
      report(
        ["clusters", name],
        `has ${same} of ${owner.name}, ${owner.folder}; each cluster needs one of its own, so rename it or write {cluster} or attributes that differ into layout.cluster`,
        "key",
      );
    }
  }

  const { clusters } = data as { clusters?: unknown };
  const count = Object.keys(clusters ?? {}).length;
  if (count === 0)
    warn(
      ["clusters"],
      "is empty, so nothing is managed: an update would destroy all that an earlier one made, and stops as long as it is protected; write the clusters, or destroy the stack if that is what you want",
      "key",
    );
  // More clusters would share the folder, which is an error.
  if (count === 1 && !isRoot && !tellsClustersApart(file.layout.cluster))
    warn(
      ["layout", "cluster"],
      "has neither {cluster} nor an attribute or a label: a cluster that is renamed, or takes the place of this one, takes over the folder with all that is in it; write clusters/{cluster}, or the like",
    );
};

function tellsClustersApart(layout: string): boolean {
  let apart = false;
  fill(layout, {}, (name) => (apart ||= name !== "stage"));
  return apart;
}
