import type { UpdateFacts } from "../fleet/facts.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import type { Fault } from "./fault.ts";
import type { FileChange } from "./fileChanges.ts";
import { savedOf, type Writer } from "./folderOwners.ts";
import { frozenClusters } from "./frozenClusters.ts";
import { reachedClusters } from "./reachedClusters.ts";
import type { RepositoryReader } from "./repositoryReader.ts";
import { checkUpdateLimit } from "./updateLimit.ts";

/** What lets an update past freezes and limits. */
export interface LimitOptions {
  /** Why clusters are updated although a freeze holds them: `ARCFLUX_EMERGENCY` in the environment. */
  readonly emergency?: string | undefined;
  /** Why an update may reach more clusters than `limits` lets: `ARCFLUX_ALL` in the environment. */
  readonly all?: string | undefined;
}

/** What an update reaches, what it stops at, and what it passes. */
export interface Limits {
  /** Clusters that it changes something of; new ones are not among them. */
  readonly reached: readonly Cluster[];
  readonly faults: readonly Fault[];
  readonly passed: Pick<UpdateFacts, "freezes" | "limit">;
}

/** Judges an update by the fleet file's freezes and limits; `committed` is undefined for a branch that is not there yet. */
export async function checkLimits(
  fleet: Fleet,
  changes: readonly FileChange[],
  committed: RepositoryReader | undefined,
  { writer, emergency, all }: LimitOptions & { readonly writer: Writer },
): Promise<Limits> {
  if (committed === undefined) return { faults: [], reached: [], passed: { freezes: [] } };
  const reached = await reachedClusters(fleet.clusters, changes, committed);
  const frozen = frozenClusters(reached, emergency);
  const limit = await checkUpdateLimit(fleet, reached, committed, { writer, all });
  // A folder that moves makes nobody new.
  const moved = reached.absent.filter((cluster) => savedOf(cluster, writer) !== undefined);
  return {
    faults: [...frozen.faults, ...limit.faults],
    reached: [...reached.changed, ...moved],
    passed: { freezes: frozen.passed, ...(limit.passed && { limit: limit.passed }) },
  };
}
