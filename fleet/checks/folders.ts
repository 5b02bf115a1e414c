import { folder } from "../../values/repositoryPath.ts";
import { tenantsFolder } from "../resolveTenants.ts";
import { fill } from "../template.ts";
import { windowsFolder } from "../window/resolveWindows.ts";
import type { Check } from "./report.ts";

/** Folders of the layout: below the root, and no manifests where the generated files go. */
export const checkFolders: Check = ({ file, views, data, report, warn }) => {
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

  const { clusters } = data as { clusters?: unknown };
  const count = Object.keys(clusters ?? {}).length;
  if (count === 0)
    warn(
      ["clusters"],
      "is empty, so nothing is managed: an update would destroy all that an earlier one made, and stops as long as it is protected; write the clusters, or destroy the stack if that is what you want",
      "key",
    );
  // More clusters would share the folder, which is an error.
  const byLayout = views.some(({ entry }) => entry.folder === undefined);
  if (count === 1 && byLayout && !isRoot && !tellsClustersApart(file.layout.cluster))
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
