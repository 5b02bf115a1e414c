import type { Path } from "../finding.ts";
import { isReached } from "../management.ts";
import { fill, placeholders } from "../template.ts";
import { show } from "../../values/show.ts";
import type { Check } from "./report.ts";

/** Each cluster that Arcflux reaches itself is told apart from the others, so that none gets what is for another. */
export const checkKubeconfigs: Check = ({ fleet, views, report }) => {
  const owners = new Map<string, string>();
  for (const [index, cluster] of fleet.clusters.entries()) {
    const { name, platform, kubeconfig } = cluster;
    const holder = views[index]!.holders.findLast(({ entry }) => entry.kubeconfig !== undefined);
    const stated = holder?.entry.kubeconfig;
    const path: Path = [...(holder?.path ?? ["clusters", name]), "kubeconfig"];
    for (const text of [stated?.context, stated?.config]) {
      fill(text ?? "", placeholders(cluster), (placeholder) =>
        report(
          path,
          `has the placeholder ${show(placeholder)}, which ${name} has no attribute for; write {cluster} or an attribute that it has`,
        ),
      );
    }
    if (!isReached(cluster) || cluster.device !== undefined) continue;
    if (kubeconfig === undefined) {
      if (fleet.clusters.length > 1) {
        const connected = platform === "arc" ? ", or agents: present when it is connected already" : "";
        report(
          path,
          `is missing, and with more than one cluster the current context could be any of theirs; write kubeconfig: {context: …} or {config: …}${connected}`,
          "key",
        );
      }
      continue;
    }
    const key = JSON.stringify(kubeconfig);
    const owner = owners.get(key);
    if (owner === undefined) owners.set(key, name);
    else {
      // A stage or group that states one for many clusters tells them apart by a placeholder.
      const apart = path[0] === "clusters" ? "" : ` (${name} too): write {cluster} into it`;
      report(path, `is the one of ${owner} too; each cluster that is connected needs its own${apart}`);
    }
  }
};
