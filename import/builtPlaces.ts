import { asMap, type YamlMap } from "../values/maps.ts";
import { showNames } from "../values/show.ts";
import type { ImportedObject } from "./documents.ts";
import type { NotTaken } from "./notTaken.ts";
import { nameOf } from "./readCluster.ts";
import type { FoundPlace } from "./places.ts";
import type { Reach } from "./selfApplied.ts";
import type { whatApplies } from "./whatApplies.ts";

/** A folder that a cluster applies, with what comes of it. */
export interface BuiltPlace {
  readonly place: FoundPlace;
  readonly applies: string;
  readonly found: Awaited<ReturnType<typeof whatApplies>>;
}

/** Folders of clusters without roots. One that Flux cannot build runs nowhere: what a cluster applies lies below it. */
export async function builtBelow(
  folders: readonly string[],
  build: (folder: string) => Promise<BuiltPlace>,
  more: {
    readonly deeper: (folder: string) => readonly string[];
    readonly notTaken: NotTaken[];
  },
): Promise<readonly BuiltPlace[]> {
  const all = await Promise.all(
    folders.map(async (folder): Promise<readonly BuiltPlace[]> => {
      const place = await build(folder);
      const deeper = "fault" in place.found ? more.deeper(folder) : [];
      const below = deeper.length === 0 ? [] : await builtBelow(deeper, build, more);
      if (below.length === 0 || below.some(({ found }) => "fault" in found)) return [place];
      more.notTaken.push({
        file: "",
        path: folder || ".",
        reason: `does not build, so no cluster applies it whole; taken is ${showNames(below.map(({ applies }) => applies))}, which builds`,
        matter: "decide",
      });
      return below;
    }),
  );
  return all.flat();
}

/** Whether an object is only a part of what a root or set builds, such as a patch of one that is named like it. */
export async function partsOfBuilds(
  places: readonly BuiltPlace[],
  reach: Reach,
): Promise<(object: ImportedObject) => boolean> {
  const folders = new Set<string>();
  const names = new Set<string>();
  for (const { found } of places) {
    if ("fault" in found) continue;
    for (const folder of found.folders) folders.add(folder);
    for (const { kind, value } of found.objects) names.add(`${kind} ${nameOf({ value })}`);
    for (const { object } of found.inner) names.add(`Kustomization ${nameOf(object)}`);
  }
  const reached = new Set<string>();
  for (const files of await Promise.all([...folders].map(reach)))
    for (const file of files ?? []) reached.add(file);
  return ({ file, kind, value }) =>
    reached.has(file) && (names.has(`${kind} ${nameOf({ value })}`) || !isWhole(asMap(value["spec"])));
}

/** Whether a spec could stand alone: a patch for all Kustomizations has any name. */
function isWhole({ path, sourceRef, url, endpoint }: YamlMap): boolean {
  return (path !== undefined && sourceRef !== undefined) || url !== undefined || endpoint !== undefined;
}
