import { isDeepStrictEqual } from "node:util";
import { formatPath, type Path } from "../finding.ts";
import { own, type Holder } from "../layers.ts";
import { appsSet } from "../resolveSets.ts";
import type { AppEntry } from "../schema/app.ts";
import type { Check, Report } from "./report.ts";

/** A patch has something to patch, and the apps of a cluster are applied by a set. */
export const checkApps: Check = ({ fleet, views, report, warn }) => {
  for (const [index, cluster] of fleet.clusters.entries()) {
    const { holders } = views[index]!;
    for (const { name } of cluster.apps) checkTarget(name, holders, report, warn);
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

interface AppLayer {
  readonly path: Path;
  readonly app: AppEntry;
}

/** An app has one `target`, which the patches of all layers are for. */
function checkTarget(name: string, holders: readonly Holder[], report: Report, warn: Report): void {
  const layers = holders.flatMap(({ path, entry }): AppLayer[] => {
    const app = own(entry.apps ?? {}, name);
    return app ? [{ path: [...path, "apps", name], app }] : [];
  });
  const stating = (field: keyof AppEntry) => layers.filter(({ app }) => app[field] !== undefined);
  const [patched, aimed] = [stating("patch"), stating("target")];
  const [target, patch] = [aimed.at(-1), patched.at(-1)];
  if (patch && !target)
    report(
      [...patch.path, "patch"],
      `has no target; write beside it what it is for, such as target: {kind: HelmRelease, name: ${name}}`,
      "key",
    );
  if (target && !patch && stating("values").length === 0)
    warn([...target.path, "target"], "does nothing without a patch; write one or drop it", "key");
  const other = aimed.find(({ app }) => target && !isDeepStrictEqual(app.target, target.app.target));
  if (target && other && patch)
    report(
      [...target.path, "target"],
      `differs from ${formatPath([...other.path, "target"])}, and an app has one for its patches of all layers; write this one as patches: [{ target, patch }]`,
      "key",
    );
}
