import { isDeepStrictEqual } from "node:util";

import { satisfies } from "semver";

import type { Look } from "../checks/checkRepository.ts";
import { documents } from "../checks/documents.ts";
import { pinText } from "../checks/pinnedTrees.ts";
import { repositoryReader } from "../checks/repositoryReader.ts";
import type { ClusterFacts, FleetFacts, PassedFreeze, StageFacts } from "../fleet/facts.ts";
import type { Cluster, Fleet, Stage } from "../fleet/model.ts";
import { definitionsGate, isIn } from "../stages/index.ts";
import { asMap, type YamlMap } from "../values/maps.ts";
import { fullPath } from "../values/path.ts";

/** How much was looked at. */
interface Extent {
  /** Whether the look knows which clusters change, as that of a preview does. */
  readonly knowsChanges: boolean;
  /** Why freezes are passed. */
  readonly emergency: string | undefined;
}

/**
 * Judges once, with the product's own checks, what policies set thresholds on. To be called while the repository is open;
 * without a look it says what the fleet file alone tells.
 */
export async function fleetFacts(
  fleet: Fleet,
  look: Look | undefined,
  { knowsChanges, emergency }: Extent,
): Promise<Omit<FleetFacts, "deletions">> {
  const { branch } = fleet.repository;
  const changed =
    look && knowsChanges ? fleet.clusters.filter((cluster) => look.changed.has(cluster)) : undefined;
  const stages = await Promise.all(fleet.stages.map((stage) => stageFacts(fleet, stage, look)));
  return {
    clusters: Object.fromEntries(fleet.clusters.map((cluster) => [cluster.name, clusterFacts(cluster)])),
    stages,
    ...(changed && {
      changed: changed.filter(({ follows }) => follows === branch).map(({ name }) => name),
    }),
    freezes: emergency === undefined ? [] : passedFreezes(changed ?? [], emergency),
  };
}

function clusterFacts({ stage, flux, lifecycle, sets }: Cluster): ClusterFacts {
  const external = sets.flatMap(({ dependsOn }) =>
    dependsOn.flatMap((one) => (one.external === true ? one.name : [])),
  );
  return {
    ...(stage !== undefined && { stage }),
    flux: flux.version,
    ...(lifecycle !== "active" && { lifecycle }),
    ...(external.length > 0 && { external: [...new Set(external)] }),
  };
}

async function stageFacts(fleet: Fleet, stage: Stage, look: Look | undefined): Promise<StageFacts> {
  const before = fleet.stages.find(({ name }) => name === stage.after);
  const { state, text } = definitionsGate(stage, before);
  return {
    name: stage.name,
    ...(stage.after !== undefined && { after: stage.after }),
    differs: state === "stops" ? text.split("\n").slice(0, -1) : [],
    unproven: before === undefined ? [] : await unprovenPins(fleet, stage, before, look),
  };
}

/** Pins of a stage that no cluster of the stage before has by the fleet file, or had on the branch that it follows. */
async function unprovenPins(
  { clusters }: Fleet,
  stage: Stage,
  before: Stage,
  look: Look | undefined,
): Promise<string[]> {
  const proving = clusters.filter((cluster) => isIn(cluster, before));
  const pins = new Map<string, { readonly source: string; readonly ref: YamlMap }>();
  for (const { sources } of clusters.filter((cluster) => isIn(cluster, stage))) {
    for (const { name: source, spec } of sources) {
      const ref = asMap(spec["ref"]);
      const isPin = ["tag", "commit", "digest"].some((key) => ref[key] !== undefined);
      if (isPin) pins.set(JSON.stringify([source, ref]), { source, ref });
    }
  }
  const open = [...pins.values()].filter(
    ({ source, ref }) =>
      !proving.some(({ sources }) =>
        sources.some(({ name, spec }) => name === source && holds(asMap(spec["ref"]), ref)),
      ),
  );
  const checked = await Promise.all(
    open.map(async ({ source, ref }) =>
      (await hadPin(proving, source, ref, look)) ? [] : `${source} at ${pinText(ref)}`,
    ),
  );
  return checked.flat();
}

/** Whether a ref brings a revision: it is the same, a branch that moves past it, or a range that it is in. */
function holds(proving: YamlMap, pin: YamlMap): boolean {
  const { branch, semver } = proving;
  if (isDeepStrictEqual({ ...proving }, { ...pin })) return true;
  if (typeof semver === "string") return typeof pin["tag"] === "string" && satisfies(pin["tag"], semver);
  return typeof branch === "string" && proving["commit"] === undefined;
}

async function hadPin(
  proving: readonly Cluster[],
  source: string,
  ref: YamlMap,
  look: Look | undefined,
): Promise<boolean> {
  for (const { follows, fluxFolder } of proving) {
    const tree = look?.trees.followed.get(follows);
    if (tree === undefined) continue;
    const text = await repositoryReader(tree).read(fullPath(fluxFolder, `source-${source}.yaml`));
    const [object] = documents(text ?? "") ?? [];
    if (object && holds(asMap(asMap(object["spec"])["ref"]), ref)) return true;
  }
  return false;
}

function passedFreezes(changed: readonly Cluster[], emergency: string): PassedFreeze[] {
  const held = changed.filter(({ freeze }) => freeze?.liveSets === true);
  return [...Map.groupBy(held, ({ freeze }) => freeze?.name ?? "")].map(([name, clusters]) => {
    const { until = "", reason = "" } = clusters[0]?.freeze ?? {};
    return { name, until, reason, clusters: clusters.map((cluster) => cluster.name), emergency };
  });
}
