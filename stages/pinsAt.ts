import { isDeepStrictEqual } from "node:util";
import { kubernetesObjects } from "../checks/kubernetesObject.ts";
import { repositoryReader } from "../checks/repositoryReader.ts";
import type { PlainMap } from "../fleet/model.ts";
import type { TreeChange } from "../git/index.ts";
import { asMap } from "../values/maps.ts";
import { fullPath, nameOf } from "../values/path.ts";
import type { Readers } from "./generated.ts";
import type { Scope } from "./scope.ts";

/** A pin that the fleet file must hold, so that it says what was rolled back to. */
export interface PinBack {
  /** `stages` or `clusters`, the name there (of a ring with its place), `pins`, the source. */
  readonly path: readonly [section: string, name: string, ...more: (string | number)[]];
  /** `{ tag: v0.1.0 }` */
  readonly ref: PlainMap;
}

/** Sources whose revision goes back, as pins: of the stage where all of its clusters have the same, else of each cluster. */
export async function pinsAt(
  { stage, ring, clusters, cluster: alone }: Pick<Scope, "stage" | "ring" | "clusters" | "cluster">,
  changes: readonly TreeChange[],
  { from, to }: Readers,
): Promise<PinBack[]> {
  const [now, then] = [repositoryReader(from), repositoryReader(to)];
  const changed = new Map(changes.map((change) => [change.path, change]));
  const found = await Promise.all(
    clusters.map(async ({ name, fluxFolder, sources }) => {
      const paths = sources.map((source) => fullPath(fluxFolder, `source-${source.name}.yaml`));
      const refs = await Promise.all(
        paths
          .filter((path) => changed.get(path)?.from !== undefined && changed.get(path)?.to !== undefined)
          .map(async (path) => {
            const [before, after] = await Promise.all([then.read(path), now.read(path)]);
            const [old, fresh] = [refOf(before), refOf(after)];
            return isDeepStrictEqual(old, fresh) || Object.keys(old).length === 0 ? [] : [{ path, ref: old }];
          }),
      );
      return refs
        .flat()
        .map(({ path, ref }) => ({ name, source: /^source-(.+)\.yaml$/.exec(nameOf(path))![1]!, ref }));
    }),
  );
  const bySource = Map.groupBy(found.flat(), ({ source }) => source);
  return [...bySource].flatMap(([source, pins]): PinBack[] => {
    const [first] = pins;
    const taking = clusters.filter(({ sources }) => sources.some((one) => one.name === source));
    const isAll =
      pins.length === taking.length && pins.every(({ ref }) => isDeepStrictEqual(ref, first?.ref));
    return isAll && stage !== undefined && alone === undefined
      ? [{ path: [...(ring ?? (["stages", stage] as const)), "pins", source], ref: first?.ref ?? {} }]
      : pins.map(({ name, ref }) => ({ path: ["clusters", name, "pins", source], ref }));
  });
}

function refOf(text = ""): PlainMap {
  const [object] = kubernetesObjects(text, "") ?? [];
  return asMap(object?.spec["ref"]) as PlainMap;
}
