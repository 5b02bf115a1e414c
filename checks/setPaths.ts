import type { Cluster, ClusterSet, Fleet } from "../fleet/model.ts";
import { folder } from "../values/repositoryPath.ts";
import { show } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import { locateFolder } from "./locateFolder.ts";
import { isOwnSource } from "./ownSource.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

interface Taken {
  readonly cluster: Cluster;
  readonly set: ClusterSet;
}

/** Warns of sets whose folder is not in the repository, once for each folder, however many clusters take the set. */
export async function checkSetPaths(fleet: Fleet, reader: RepositoryReader): Promise<Fault[]> {
  const { branch } = fleet.repository;
  const byPath = Map.groupBy(
    fleet.clusters.flatMap((cluster) =>
      cluster.sets.filter((set) => isOwnSource(set, cluster, branch)).map((set): Taken => ({ cluster, set })),
    ),
    ({ set }) => set.spec.path,
  );
  const faults = await Promise.all(
    [...byPath].map(async ([path, [first, ...others]]): Promise<Fault[]> => {
      const located = await locateFolder(folder(path), reader);
      if (first === undefined || located.kind === "folder" || located.kind === "elsewhere") return [];
      const clusters = new Set(others.map(({ cluster }) => cluster)).size;
      const more = clusters > 0 ? ` (taken by ${clusters} more cluster${clusters === 1 ? "" : "s"})` : "";
      const message = `${show(path)}${more} ${problem(path, located)}`;
      return [{ severity: "warning", path: placeOf(first, "path"), message }];
    }),
  );
  return faults.flat();
}

function problem(path: string, located: Awaited<ReturnType<typeof locateFolder>>): string {
  if (located.kind === "file")
    return "is a file of the repository; Flux takes a folder, so name the one it lies in";
  if (located.kind !== "missing" || located.near === undefined) {
    return "is not in the repository, so Flux would report the set as failed; add the folder, or correct the path";
  }
  const near = `./${located.near}`;
  if (near.toLowerCase() === path.toLowerCase()) {
    return `is not in the repository, but ${near} is: upper and lower case count; write ${near}`;
  }
  return `is not in the repository, so Flux would report the set as failed; there is ${near}`;
}

function placeOf({ cluster, set }: Taken, field: string): Fault["path"] {
  return ["clusters", cluster.name, "sets", set.name, field];
}
