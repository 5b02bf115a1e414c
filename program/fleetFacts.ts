import type { Look } from "../checks/checkRepository.ts";
import type { ClusterFacts, ClusterUpdate, FleetFacts, StageFacts, StageReach } from "../fleet/facts.ts";
import { type Cluster, type Fleet, fluxNamespace, kustomizationName, type Stage } from "../fleet/model.ts";
import { definitionsGate, isIn } from "../stages/index.ts";
import { unprovenPins } from "./unprovenPins.ts";

/**
 * Judges once, with the product's own checks, what policies set thresholds on. To be called while the repository is open;
 * without a look it says what the fleet file alone tells. `declared`: every cluster of the fleet file, which proves a pin and
 * is a part of its stage whether the stack takes it or not.
 */
export async function fleetFacts(
  fleet: Fleet,
  declared: readonly Cluster[],
  look: Look | undefined,
): Promise<FleetFacts> {
  const stages = await Promise.all(fleet.stages.map((stage) => stageFacts(fleet, declared, stage, look)));
  return {
    clusters: Object.fromEntries(fleet.clusters.map((cluster) => [cluster.name, clusterFacts(cluster)])),
    stages,
    ...(look && { update: { reach: reachOf(fleet, declared, look), ...look.passed } }),
  };
}

/**
 * What goes with the files of each cluster that an update reaches, or that a freeze holds, so that a policy stops it before
 * they are written: no preview need have gone before. Its own stages, and what of the update concerns it.
 */
export function factsByCluster(
  { stages, update }: FleetFacts,
  fleet: Fleet,
  reached: readonly Cluster[],
): ReadonlyMap<Cluster, ClusterUpdate> {
  if (update === undefined) return new Map();
  // A cluster has one freeze at a time.
  const freezeOf = new Map(
    update.freezes.flatMap((freeze) => freeze.clusters.map((name) => [name, freeze] as const)),
  );
  const concerned = new Set([...reached, ...fleet.clusters.filter(({ name }) => freezeOf.has(name))]);
  return new Map(
    [...concerned].map((cluster) => {
      const { name } = cluster;
      const own = fleet.stages.filter((stage) => isIn(cluster, stage)).map((stage) => stage.name);
      const freeze = freezeOf.get(name);
      const freezes = freeze === undefined ? [] : [{ ...freeze, clusters: [name] }];
      return [
        cluster,
        { stages: stages.filter((stage) => own.includes(stage.name)), update: { ...update, freezes } },
      ];
    }),
  );
}

function reachOf(
  { repository }: Fleet,
  declared: readonly Cluster[],
  { reached }: Pick<Look, "reached">,
): StageReach[] {
  const atOnce = reached.filter(({ follows }) => follows === repository.branch);
  const stageOf = ({ stage }: Cluster) => stage;
  const all = Map.groupBy(declared, stageOf);
  return [...Map.groupBy(atOnce, stageOf)].map(([stage, some]) => ({
    ...(stage !== undefined && { stage }),
    ...{ reached: some.length, of: all.get(stage)?.length ?? some.length },
  }));
}

function clusterFacts({ stage, flux, lifecycle, config, sets, sources }: Cluster): ClusterFacts {
  const made = new Set([`GitRepository/${config}`, ...sources.map(({ kind, name }) => `${kind}/${name}`)]);
  const external = sets.flatMap(({ dependsOn }) =>
    dependsOn.flatMap((one) => (one.external === true ? kustomizationName(one.name, one.namespace) : [])),
  );
  const externalSources = sets.flatMap(({ sourceRef: { kind, name, namespace = fluxNamespace } }) =>
    namespace !== fluxNamespace || made.has(`${kind}/${name}`) ? [] : `${kind}/${name}`,
  );
  return {
    ...(stage !== undefined && { stage }),
    flux: flux.version,
    ...(lifecycle !== "active" && { lifecycle }),
    ...(external.length > 0 && { external: [...new Set(external)] }),
    config,
    ...(externalSources.length > 0 && { externalSources: [...new Set(externalSources)] }),
  };
}

async function stageFacts(
  fleet: Fleet,
  declared: readonly Cluster[],
  stage: Stage,
  look: Look | undefined,
): Promise<StageFacts> {
  const before = fleet.stages.find(({ name }) => name === stage.after);
  const { state, text } = definitionsGate(stage, before);
  return {
    name: stage.name,
    ...(stage.after !== undefined && { after: stage.after }),
    differs: state === "stops" ? text.split("\n").slice(0, -1) : [],
    unproven:
      before === undefined ? [] : await unprovenPins(stage, before, fleet.clusters, declared, look?.trees),
  };
}
