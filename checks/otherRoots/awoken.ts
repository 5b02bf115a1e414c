import { builtObject, type ClusterSubject, describe, identityOf } from "../../judge/index.ts";
import { isInside } from "../../values/path.ts";
import { showNames } from "../../values/show.ts";
import type { RootWorld } from "./rootWorld.ts";

/** What lies in a flux folder that is new, was not generated, and is applied by nothing today. */
export function awoken(
  { root, before }: RootWorld,
  { cluster, subjects }: ClusterSubject,
  written: ReadonlyMap<string, string>,
): string[] {
  const build = subjects.find(({ isBootstrap }) => isBootstrap)?.build;
  if (build?.kind !== "built") return [];
  const today = new Set(
    before.sets.flatMap(({ objects }) => objects.map(({ object }) => identityOf(builtObject(object)))),
  );
  const woken = build.objects.filter(
    (object) =>
      object.file !== undefined &&
      isInside(object.file, cluster.fluxFolder) &&
      !written.has(object.file) &&
      !today.has(identityOf(object)),
  );
  if (woken.length === 0) return [];
  const what = showNames(
    woken.map((object) => `${object.file} (${describe(object)})`),
    3,
  );
  return [
    `the new bootstrap would apply ${what}, which ${root.label} leaves out today. Move that out of ${cluster.fluxFolder}; ` +
      "bring it back in a commit after the first update if it should run.",
  ];
}
