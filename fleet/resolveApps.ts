import { own, type View } from "./layers.ts";
import type { App, PlainMap } from "./model.ts";
import { folder } from "../values/repositoryPath.ts";
import type { FleetFile } from "./schema.ts";
import { fill } from "./template.ts";

/** The apps of a cluster, sorted by name. A later layer replaces path, target and patch each as a whole. */
export function resolveApps(
  file: FleetFile,
  view: View,
  names: ReadonlySet<string>,
  clusterFolder: string,
): App[] {
  // From `<cluster folder>/apps` up to the root of the repository.
  const up = "../".repeat(clusterFolder.split("/").filter(Boolean).length + 1);
  return [...names].sort().map((name) => {
    const layers = view.holders.map(({ entry }) => own(entry.apps ?? {}, name) ?? {});
    const { path, target, patch } = Object.assign({}, ...layers) as NonNullable<(typeof layers)[number]>;
    return {
      name,
      ...(patch && target && { target: target as NonNullable<App["target"]>, patch: patch as PlainMap }),
      resource: `${up}${folder(path ?? fill(file.layout.apps, { app: name }))}`,
    };
  });
}
