import type { PassedFreeze } from "../fleet/facts.ts";
import { showSome } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import type { Reached } from "./reachedClusters.ts";

/** What is wrong with an update, and what it passes since somebody says why it must be. */
export interface FrozenClusters {
  readonly faults: readonly Fault[];
  readonly passed: readonly PassedFreeze[];
}

/**
 * Updates of clusters that a freeze with `liveSets` holds: errors, and warnings where somebody says why it must be. The
 * freeze itself is written: it suspends jobs in the files of windows. What is the same freeze is said once.
 */
export function frozenClusters({ changed, absent }: Reached, emergency: string | undefined): FrozenClusters {
  const frozen = [...changed, ...absent].filter(({ freeze }) => freeze?.liveSets === true);
  const found = [...Map.groupBy(frozen, ({ freeze }) => freeze?.name ?? "")].map(([name, some]) => {
    const { until = "", reason = "" } = some[0]?.freeze ?? {};
    const clusters = some.map((cluster) => cluster.name);
    const said = `holds updates of ${showSome(new Set(clusters))} until ${until} (${reason})`;
    return { name, until, reason, clusters, said };
  });
  if (emergency === undefined)
    return {
      faults: found.map(({ name, said }) => ({
        severity: "error",
        path: ["freezes", name],
        message: `${said}; wait, or set ARCFLUX_EMERGENCY to the reason why this cannot`,
      })),
      passed: [],
    };
  return {
    faults: found.map(({ name, said }) => ({
      severity: "warning",
      path: ["freezes", name],
      message: `${said}; passed by: ${emergency}`,
    })),
    passed: found.map(({ said: _, ...freeze }) => ({ ...freeze, emergency })),
  };
}
