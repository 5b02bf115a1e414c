import type { Cluster, Fleet } from "../fleet/model.ts";
import { applied, type Applied } from "./applied.ts";
import { askNow } from "./askNow.ts";
import type { FleetStatus } from "./askFleet.ts";

/** Seconds for all clusters together; who has not answered by then is not known to have applied anything. */
const patience = 30;

/**
 * Whether clusters of a fleet have applied commits, for guards: Azure and the clusters are asked once for all, and only
 * where a guard wants to know. Who cannot be asked has `unknown`, and no guard takes that for a yes.
 */
export function appliedBy(
  fleet: Fleet,
  env: NodeJS.ProcessEnv = process.env,
  ask: typeof askNow = askNow,
): (cluster: Cluster, commit: string) => Promise<Applied> {
  let asked: Promise<FleetStatus | undefined> | undefined;
  return async ({ name }, commit) => {
    const found = await (asked ??= ask(fleet, fleet.clusters, patience, env).catch(() => undefined));
    const state = found?.states.find((one) => one.cluster === name);
    return found === undefined || state === undefined ? "unknown" : applied(state, commit, found.history);
  };
}
