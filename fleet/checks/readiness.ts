import { showSome } from "../../values/show.ts";
import type { Check } from "./report.ts";

/** A bootstrap that waits for all it applied is not ready before each window was open, or while a set is suspended. */
export const checkReadiness: Check = ({ fleet, report, warn }) => {
  const windows = new Set<string>();
  const suspended = new Set<string>();
  for (const { name: cluster, sets, windows: had, bootstrap } of fleet.clusters) {
    if (!bootstrap.wait) continue;
    for (const { name } of had) windows.add(`${cluster}/${name}`);
    for (const set of sets) if (set.suspension !== undefined) suspended.add(`${cluster}/${set.name}`);
  }
  if (windows.size > 0)
    report(
      ["bootstrap", "wait"],
      `waits for windows, whose sources are shut, so the bootstrap is never ready: ${showSome(windows)}; write wait: false`,
    );
  if (suspended.size > 0)
    warn(
      ["bootstrap", "wait"],
      `waits for sets that are suspended, so the bootstrap is not ready until they are resumed: ${showSome(suspended)}; write wait: false meanwhile`,
    );
};
