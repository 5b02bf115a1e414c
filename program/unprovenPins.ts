import { isDeepStrictEqual } from "node:util";

import { satisfies } from "semver";

import { documents } from "../checks/documents.ts";
import { pinText } from "../checks/pinnedTrees.ts";
import type { RepositoryTrees } from "../checks/repositoryTree.ts";
import type { Cluster, Stage } from "../fleet/model.ts";
import { isIn } from "../stages/index.ts";
import { asMap, type YamlMap } from "../values/maps.ts";
import { fullPath } from "../values/path.ts";

interface Pin {
  readonly source: string;
  readonly ref: YamlMap;
}

/** Of so many clusters of the stage before the history is read; those of one stage have the same pins, or nearly. */
const witnesses = 3;

/**
 * Pins of a stage, in the clusters of a stack, that no cluster of the stage before has by the fleet file, or has or had on the
 * branch that it follows. `declared`: every cluster of the fleet file.
 */
export async function unprovenPins(
  stage: Stage,
  before: Stage,
  clusters: readonly Cluster[],
  declared: readonly Cluster[],
  trees: Pick<RepositoryTrees, "followed" | "refs" | "earlier"> | undefined,
): Promise<string[]> {
  const proving = declared.filter((cluster) => isIn(cluster, before));
  const open = pinsOf(clusters.filter((cluster) => isIn(cluster, stage))).filter(
    (pin) => !proving.some(({ sources }) => sources.some(({ name, spec }) => proves(pin, name, spec["ref"]))),
  );
  const bySource = await Promise.all(
    [...Map.groupBy(open, ({ source }) => source)].map(async ([source, pins]) => {
      const had = await refsOf(source, proving, trees);
      return pins.filter(({ ref }) => !had.some((one) => holds(one, ref)));
    }),
  );
  return bySource.flat().map(({ source, ref }) => `${source} at ${pinText(ref)}`);
}

/** What moves by itself is no pin. */
function pinsOf(clusters: readonly Cluster[]): Pin[] {
  const pins = new Map<string, Pin>();
  for (const { sources } of clusters)
    for (const { name: source, spec } of sources) {
      const ref = asMap(spec["ref"]);
      const isPin = ["tag", "commit", "digest"].some((key) => ref[key] !== undefined);
      if (isPin) pins.set(JSON.stringify([source, ref]), { source, ref });
    }
  return [...pins.values()];
}

function proves({ source, ref }: Pick<Pin, "source" | "ref">, name: string, proving: unknown): boolean {
  return name === source && holds(asMap(proving), ref);
}

/** Whether a ref brings a revision: it is the same, a branch that moves past it, or a range that it is in. */
function holds(proving: YamlMap, pin: YamlMap): boolean {
  const { branch, semver } = proving;
  if (isDeepStrictEqual({ ...proving }, { ...pin })) return true;
  if (typeof semver === "string") return typeof pin["tag"] === "string" && satisfies(pin["tag"], semver);
  return typeof branch === "string" && proving["commit"] === undefined;
}

/** What a source was pinned to in the stage before, now and earlier, as its branch has it. */
async function refsOf(
  source: string,
  proving: readonly Cluster[],
  trees: Pick<RepositoryTrees, "refs" | "earlier"> | undefined,
): Promise<YamlMap[]> {
  if (trees?.earlier === undefined) return [];
  const { earlier } = trees;
  const there = new Set((await trees.refs?.())?.branches);
  const taking = proving.filter(
    ({ follows, sources }) => there.has(follows) && sources.some(({ name }) => name === source),
  );
  const texts = await Promise.all(
    taking.slice(0, witnesses).map(async ({ follows, fluxFolder }) => {
      const path = fullPath(fluxFolder, `source-${source}.yaml`);
      return (await earlier(follows, [path])).get(path) ?? [];
    }),
  );
  return texts.flat().flatMap((bytes) => {
    const [object] = documents(new TextDecoder().decode(bytes)) ?? [];
    return object === undefined ? [] : [asMap(asMap(object["spec"])["ref"])];
  });
}
