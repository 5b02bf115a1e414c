import type { Cluster, Fleet } from "../fleet/model.ts";
import { applied, type Applied } from "./applied.ts";
import { askNow } from "./askNow.ts";
import type { FleetStatus } from "./askFleet.ts";

/** Seconds for all clusters together; who has not answered by then is not known to have applied anything. */
const patience = 30;

/** What guards ask of clusters. Who cannot be asked has `unknown` or undefined, and no guard takes that for a yes. */
export interface Asked {
  /** Whether the cluster has applied a commit. */
  readonly applied: (cluster: Cluster, commit: string) => Promise<Applied>;
  /** The folder that its bootstrap applies, from the root; undefined where nobody says so for certain. */
  readonly folderOf: (cluster: Cluster) => Promise<string | undefined>;
}

/** Asks Azure and the clusters of a fleet, once for all, and only where a guard wants to know. */
export function appliedBy(
  fleet: Fleet,
  env: NodeJS.ProcessEnv = process.env,
  ask: typeof askNow = askNow,
): Asked {
  let asked: Promise<FleetStatus | undefined> | undefined;
  const stateOf = async ({ name }: Cluster) => {
    const found = await (asked ??= ask(fleet, fleet.clusters, patience, env).catch(() => undefined));
    return { history: found?.history, state: found?.states.find((one) => one.cluster === name) };
  };
  return {
    async applied(cluster, commit) {
      const { state, history } = await stateOf(cluster);
      return state === undefined ? "unknown" : applied(state, commit, history);
    },
    async folderOf(cluster) {
      const { state } = await stateOf(cluster);
      // Who is away may have been told of another folder since.
      return state === undefined || state.word === "offline" ? undefined : state.runs.folder;
    },
  };
}
