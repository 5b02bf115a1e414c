import { own } from "../layers.ts";
import type { AppEntry } from "../schema/layer.ts";
import { appsSet } from "../resolveSets.ts";
import type { Check } from "./report.ts";

/** A patch has something to patch, and the apps of a cluster are applied by a set. */
export const checkApps: Check = ({ fleet, views, report, warn }) => {
  for (const [index, cluster] of fleet.clusters.entries()) {
    const { holders } = views[index]!;
    for (const { name } of cluster.apps) {
      const layers = holders.filter(({ entry }) => own(entry.apps ?? {}, name));
      const where = (field: keyof AppEntry) =>
        layers.findLast(({ entry }) => own(entry.apps ?? {}, name)?.[field] !== undefined);
      const [patch, target] = [where("patch"), where("target")];
      if (patch && !target)
        report(
          [...patch.path, "apps", name, "patch"],
          `has no target; write beside it what it is for, such as target: {kind: HelmRelease, name: ${name}}`,
          "key",
        );
      if (target && !patch)
        warn(
          [...target.path, "apps", name, "target"],
          "does nothing without a patch; write one or drop it",
          "key",
        );
    }
    const set = cluster.sets.find((one) => one.name === appsSet);
    if (cluster.apps.length > 0 && set === undefined) {
      const out = holders.findLast(({ entry }) => entry.sets?.[appsSet] === null);
      report(
        [...(out?.path ?? ["clusters", cluster.name]), "sets", appsSet],
        "is opted out, but the apps of the cluster are applied by it; take it, or drop the apps",
        "key",
      );
    }
  }
};
