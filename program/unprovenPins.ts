import { isDeepStrictEqual } from "node:util";

import { documents } from "../checks/documents.ts";
import { newestWithin, pinText } from "../checks/pinnedTrees.ts";
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
  trees: Pick<RepositoryTrees, "refs" | "earlier"> | undefined,
): Promise<string[]> {
  const proving = declared.filter((cluster) => isIn(cluster, before));
  const open = pinsOf(clusters.filter((cluster) => isIn(cluster, stage))).filter(
    (pin) => !proving.some(({ sources }) => sources.some(({ name, spec }) => proves(pin, name, spec["ref"]))),
  );
  const had = await refsOf(new Set(open.map(({ source }) => source)), proving, trees);
  return open
    .filter((pin) => !had.some(({ source, ref }) => proves(pin, source, ref)))
    .map(({ source, ref }) => `${source} at ${pinText(ref)}`);
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
  if (typeof semver === "string")
    return typeof pin["tag"] === "string" && newestWithin(semver, [pin["tag"]]) !== undefined;
  return typeof branch === "string" && proving["commit"] === undefined;
}

/** What sources were pinned to in the stage before, now and earlier, as its branches have it: each is read once. */
async function refsOf(
  sources: ReadonlySet<string>,
  proving: readonly Cluster[],
  trees: Pick<RepositoryTrees, "refs" | "earlier"> | undefined,
): Promise<Pin[]> {
  if (sources.size === 0 || trees?.earlier === undefined) return [];
  const { earlier } = trees;
  const there = new Set((await trees.refs?.())?.branches);
  const files = [...sources].flatMap((source) =>
    proving
      .filter(({ follows, sources: own }) => there.has(follows) && own.some(({ name }) => name === source))
      .slice(0, witnesses)
      .map(({ follows, fluxFolder }) => ({
        ...{ source, follows },
        path: fullPath(fluxFolder, `source-${source}.yaml`),
      })),
  );
  const read = await Promise.all(
    [...Map.groupBy(files, ({ follows }) => follows)].map(async ([branch, some]) => {
      const texts = await earlier(
        branch,
        some.map(({ path }) => path),
      );
      return some.flatMap(({ source, path }) => pinnedIn(source, texts.get(path) ?? []));
    }),
  );
  return read.flat();
}

/** What each content of a source's file pins it to. */
function pinnedIn(source: string, contents: readonly Uint8Array[]): Pin[] {
  return contents.flatMap((bytes) => {
    const [object] = documents(new TextDecoder().decode(bytes)) ?? [];
    return object === undefined ? [] : [{ source, ref: asMap(asMap(object["spec"])["ref"]) }];
  });
}
