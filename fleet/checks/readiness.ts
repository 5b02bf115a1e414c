import { isSuspended } from "../model.ts";
import { showSome } from "../../values/show.ts";
import type { Check } from "./report.ts";

/** A bootstrap that waits for every set is never ready while Flux leaves one of them alone. */
export const checkReadiness: Check = ({ file, fleet, report, warn }) => {
  if (!file.bootstrap.wait) return;
  const windowed = new Set<string>();
  const suspended = new Set<string>();
  for (const { name: cluster, sets } of fleet.clusters) {
    for (const set of sets) {
      if (!isSuspended(set)) continue;
      (set.window === undefined ? suspended : windowed).add(`${cluster}/${set.name}`);
    }
  }
  if (windowed.size > 0)
    report(
      ["bootstrap", "wait"],
      `waits for sets that Flux leaves alone outside of their window, so the bootstrap is never ready: ${showSome(windowed)}; write wait: false`,
    );
  if (suspended.size > 0)
    warn(
      ["bootstrap", "wait"],
      `waits for sets that are suspended, so the bootstrap is not ready until they are resumed: ${showSome(suspended)}; write wait: false meanwhile`,
    );
};
