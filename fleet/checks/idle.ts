import { asList, asMap } from "../../values/maps.ts";
import { eachSet } from "./eachSet.ts";
import { Shared, type Check, type Checked } from "./report.ts";

/** Fields that stop what a set runs, and what holds them. */
const stopping = /^\/spec(\/(replicas|suspend|postRenderers)(\/.*)?)?\/?$/;

/** Sets that are said to be idle, and in which Flux would stop nothing all the same. */
export const checkIdle: Check = (checked) => {
  const errors = new Shared();
  const warnings = new Shared();
  eachSet(checked, ({ cluster, set, at }) => {
    if (set.idle !== true) return;
    const { suspension } = set;
    if (suspension !== undefined)
      warnings.add(
        at("suspend"),
        `suspends the set (${suspension.reason}), so Flux does not make ${set.name} idle: what runs there goes on; drop suspend until it is stopped`,
        cluster.name,
      );
    for (const [index, entry] of asList(set.spec["ignore"]).entries())
      for (const path of asList(asMap(entry)["paths"])) {
        if (typeof path !== "string" || !stopping.test(path)) continue;
        errors.add(
          at("ignore", index),
          `has Flux leave ${path} alone, so idle could not stop ${set.name}; take it out, or write idle: false for the set`,
          cluster.name,
        );
      }
  });
  outweighed(checked, warnings);
  errors.report(checked.report);
  warnings.report(checked.warn);
};

/** A switch in a group does nothing at a cluster that says itself that it is idle. */
function outweighed({ views }: Checked, warnings: Shared): void {
  for (const { name, entry, holders } of views) {
    if (entry.idle !== true) continue;
    const above = holders.findLast((holder) => holder.entry !== entry && holder.entry.idle !== undefined);
    if (above?.entry.idle === false)
      warnings.add(
        [...above.path, "idle"],
        "is false, and idle: true on the cluster itself outweighs it; take that line out for this one to count",
        name,
      );
  }
}
