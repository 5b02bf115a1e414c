import { folder } from "../repositoryPath.ts";
import { show, showNames } from "../../wording/show.ts";
import { fill, placeholders } from "../template.ts";
import type { Check } from "./report.ts";

/** Folders of the layout: one of its own for each cluster, and no manifests where the generated files go. */
export const checkFolders: Check = ({ file, fleet, report }) => {
  const flux = folder(file.layout.flux);
  const sets = folder(file.layout.sets);
  if (folder(file.layout.cluster) === "") {
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

  const owners = new Map<string, { name: string; folder: string }>();
  for (const cluster of fleet.clusters) {
    const { name, folder, attributes } = cluster;
    let complete = true;
    fill(file.layout.cluster, placeholders(cluster), (attribute) => {
      complete = false;
      report(
        ["clusters", name, "attributes", attribute],
        `is missing, and layout.cluster has ${show(`{${attribute}}`)}; write the attribute (it has ${showNames(Object.keys(attributes)) || "none"})`,
        "key",
      );
    });
    if (!complete) continue;
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
};
