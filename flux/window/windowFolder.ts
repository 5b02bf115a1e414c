import type { Cluster, Source, Window } from "../../fleet/model.ts";
import { windowedSource } from "../../fleet/window/windowedSource.ts";
import { renderKustomization } from "../kustomization.ts";
import { renderSource } from "../source.ts";
import type { YamlMap } from "../yaml.ts";

/**
 * The objects that a window's Kustomization applies, by file name without its ending: the Kustomizations of its sets,
 * which take from the window, and `source-<name>` for pinned sources of theirs. A change of the pin so waits as well.
 */
export function windowFolder(
  window: Window,
  cluster: Cluster,
  isPrivate = false,
): [name: string, object: YamlMap][] {
  const copies = new Map<string, Source>();
  const sets = cluster.sets
    .filter((set) => set.window === window.name)
    .map((set): [string, YamlMap] => {
      const { sourceRef, copy } = windowedSource(set, cluster);
      if (copy !== undefined) copies.set(set.sourceRef.name, copy);
      return [set.name, renderKustomization({ ...set, sourceRef })];
    });
  const sources = [...copies].map(([name, copy]): [string, YamlMap] => [
    `source-${name}`,
    renderSource(copy, cluster, isPrivate),
  ]);
  return [...sets, ...sources];
}
