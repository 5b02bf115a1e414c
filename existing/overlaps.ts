import { normalFolder } from "../build/index.ts";
import type { Cluster } from "../fleet/model.ts";
import { isInside } from "../values/path.ts";

/** A Kustomization of others that takes the fleet's repository and runs. */
export interface Running {
  /** How messages name it: `Kustomization team/pos`, `Azure's configuration workspace`. */
  readonly label: string;
  readonly path: string;
}

/** The first of what runs that applies a cluster's flux folder, or the folder of a set; in words that end a sentence. */
export function overlap(
  { fluxFolder, sets, config }: Pick<Cluster, "fluxFolder" | "sets" | "config">,
  running: readonly Running[],
): string | undefined {
  const bySet = new Map(
    sets
      .filter(({ sourceRef, window }) => sourceRef.name === config || window !== undefined)
      .map((set) => [normalFolder(set.spec.path), set.name]),
  );
  for (const { label, path } of running) {
    const folder = normalFolder(path);
    if (folder === fluxFolder || isInside(fluxFolder, folder))
      return `${label}, which applies ${path} and would apply the files of ${fluxFolder} too`;
    const set = bySet.get(folder);
    if (set !== undefined) return `${label}, which applies ${path} as set ${set} would: two owners`;
  }
  return undefined;
}
