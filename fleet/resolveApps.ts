import { own, type View } from "./layers.ts";
import type { App, AppPatch, PatchTarget, PlainMap } from "./model.ts";
import { folder } from "../values/repositoryPath.ts";
import { joinPatches } from "./joinPatches.ts";
import type { FleetFile } from "./schema.ts";
import type { AppEntry } from "./schema/app.ts";
import { fill } from "./template.ts";

/**
 * The apps of a cluster, sorted by name. Path and target are those of the last layer that states them; patches go one
 * over the other, stage, groups and cluster.
 */
export function resolveApps(
  file: FleetFile,
  view: View,
  names: ReadonlySet<string>,
  clusterFolder: string,
): App[] {
  // From `<cluster folder>/apps` up to the root of the repository.
  const up = "../".repeat(clusterFolder.split("/").filter(Boolean).length + 1);
  return [...names].sort().map((name) => {
    const layers = view.holders.flatMap(({ entry }) => own(entry.apps ?? {}, name) ?? []);
    const path = layers.findLast((layer) => layer.path !== undefined)?.path;
    const target = layers.findLast((layer) => layer.target !== undefined)?.target as PatchTarget | undefined;
    const patches = joinPatches(layers.flatMap((layer) => patchesOf(name, layer, target)));
    return {
      name,
      ...(patches.length > 0 && { patches }),
      resource: `${up}${folder(path ?? fill(file.layout.apps, { app: name }))}`,
    };
  });
}

function patchesOf(name: string, layer: AppEntry, target: PatchTarget | undefined): AppPatch[] {
  const { patch, values, patches = [] } = layer;
  const release = target?.kind === "HelmRelease" ? target : { kind: "HelmRelease", name };
  return [
    // Without a target it is a finding.
    ...(patch && target ? [{ target, patch: patch as PlainMap }] : []),
    ...(values ? [{ target: release, patch: { spec: { values: values as PlainMap } } }] : []),
    ...(patches as readonly AppPatch[]).map(({ target, patch }) => ({ target, patch })),
  ];
}
