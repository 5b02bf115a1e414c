import { kubernetesObjects } from "../checks/kubernetesObject.ts";
import type { Cluster, Fleet, PlainMap } from "../fleet/model.ts";
import { type Branches, type BranchLine, withBranches } from "../git/index.ts";
import { asMap } from "../values/maps.ts";
import { fullPath } from "../values/path.ts";
import { mustRead } from "./commitOn.ts";
import { readyGate } from "./gates/ready.ts";
import { minute } from "./gates/soak.ts";
import type { World } from "./world.ts";

/** A ring of a stage, as the fleet file has it. */
export interface PinnedRing {
  readonly name: string;
  /** Seconds that it must have a pin before the next ring gets it. */
  readonly soak: number;
  /** What it says of the source; undefined where it says nothing. */
  readonly pin: PlainMap | undefined;
}

/**
 * Where the roll-out of a pin stands:
 *
 * - `sets`: the fleet file gets it for that ring, by its place in the list
 * - `update`, `promote`: what clusters of the ring follow does not have it yet
 * - `waits`: time is missing, for the ring to be ready for its soak
 * - `failed`: more of its clusters fail than may, or it has none that could prove the pin
 * - `done`: every ring has it
 */
export interface PinStep {
  readonly state: "sets" | "update" | "promote" | "waits" | "failed" | "done";
  /** Of the ring; of the last one where all have it. */
  readonly index: number;
  /** What was seen. */
  readonly text: string;
}

interface Asked {
  readonly stage: string;
  readonly source: string;
  readonly ref: PlainMap;
}

/**
 * The next step of a pin through the rings: each gets it once the one before has it in Git, is ready, and has been for its
 * soak. All that is known is in the fleet file and in Git. Rejects with StageError or GitError.
 */
export function pinStep(
  fleet: Fleet,
  rings: readonly PinnedRing[],
  { stage, source, ref }: Asked,
  world: World,
): Promise<PinStep> {
  return withBranches(fleet.repository.url, world.git, async (repository) => {
    for (const [index, ring] of rings.entries()) {
      const isLast = index === rings.length - 1;
      const inRing = fleet.clusters.filter(
        (cluster) => cluster.stage === stage && cluster.ring === ring.name,
      );
      if (inRing.length === 0 && !isLast) return { ...provesNothing(ring, "no cluster is in it"), index };
      if (!isSameRef(ring.pin, ref)) return { state: "sets", index, text: ring.name };
      if (isLast) break;
      const taking = inRing.filter((cluster) => hasPin(cluster, source, ref));
      const open =
        taking.length === 0
          ? provesNothing(ring, `no cluster of it takes ${source} by its pin`)
          : await openIn(taking);
      if (open !== undefined) return { ...open, index };

      async function openIn(clusters: readonly Cluster[]): Promise<Omit<PinStep, "index"> | undefined> {
        const [{ follows: branch } = { follows: "" }] = clusters;
        const line = await mustRead(repository, branch, `ring ${ring.name} follows`);
        const without = await missingIn(line, clusters, source, ref, repository);
        if (without.length > 0) {
          const { branch: main } = fleet.repository;
          const updates = branch === main ? line : await mustRead(repository, main, "updates commit to");
          const never = await missingIn(updates, clusters, source, ref, repository);
          return never.length > 0
            ? { state: "update", text: `${main} does not have it for ${never[0]!.name} yet` }
            : { state: "promote", text: `${branch} does not have it for ${without[0]!.name} yet` };
        }
        const gate = await readyGate(`${stage}/${ring.name}`, clusters, line.line[0].id, world.ask, false);
        if (gate.state === "stops")
          return { state: gate.isFailing === true ? "failed" : "waits", text: gate.text };
        const files = clusters.map((cluster) => fileOf(cluster, source));
        const since = await haveSince(line, files, repository);
        const end = since + ring.soak;
        return end * 1000 <= world.now().getTime()
          ? undefined
          : {
              state: "waits",
              text: `${branch} has it since ${minute(since)}, and has to until ${minute(end)}`,
            };
      }
    }
    return { state: "done", index: rings.length - 1, text: rings.at(-1)?.name ?? "" };
  });
}

/** A ring that nobody would prove the pin in: the next one must not get it for that. */
function provesNothing({ name }: PinnedRing, why: string): Omit<PinStep, "index"> {
  return {
    state: "failed",
    text: `${why}, so it proves nothing. Match clusters without a pin of their own, or take ring ${name} out`,
  };
}

/** Whether two refs say the same, in whatever order. */
export function isSameRef(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((ref) => JSON.stringify(Object.entries(asMap(ref)).sort()));
  return first === second;
}

/** Whether the pin is the cluster's: one of its own wins over that of its ring. */
function hasPin({ sources }: Cluster, source: string, ref: PlainMap): boolean {
  return isSameRef(sources.find(({ name }) => name === source)?.spec["ref"], ref);
}

function fileOf({ fluxFolder }: Cluster, source: string): string {
  return fullPath(fluxFolder, `source-${source}.yaml`);
}

/** Clusters whose generated source has another revision on a branch, or is not there. */
async function missingIn(
  { branch, line }: BranchLine,
  clusters: readonly Cluster[],
  source: string,
  ref: PlainMap,
  repository: Branches,
): Promise<readonly Cluster[]> {
  const texts = await repository.reader(branch, line[0]).read(clusters.map((each) => fileOf(each, source)));
  return clusters.filter((cluster) => {
    const [object] = kubernetesObjects(texts.get(fileOf(cluster, source))?.toString("utf8") ?? "", "") ?? [];
    return !isSameRef(asMap(object?.spec["ref"]), ref);
  });
}

/** How many commits are looked at in one go. */
const stride = 64;

/** When a branch got the last of what it has at these paths, in seconds. */
async function haveSince(
  { line }: BranchLine,
  paths: readonly string[],
  repository: Branches,
): Promise<number> {
  const now = await repository.at([line[0].tree], paths);
  let since = line[0].time;
  for (let start = 0; start < line.length; start += stride) {
    const commits = line.slice(start, start + stride);
    const trees = commits.map(({ tree }) => tree);
    const there = await repository.at(trees, paths);
    for (const [index, { time }] of commits.entries()) {
      if (paths.some((path) => there.get(path)?.[index] !== now.get(path)?.[0])) return since;
      since = time;
    }
  }
  return since;
}
