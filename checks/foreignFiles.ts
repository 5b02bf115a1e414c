import type { Cluster } from "../fleet/model.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/**
 * Of generated files in the flux folder of a cluster, those that were written for another cluster of the fleet, which has its
 * flux folder elsewhere by now: by path, the name of that one. No update of this cluster takes them out. Where something in
 * the folder was written for this cluster last, it has been there, and may have taken over what it found: then there are
 * none.
 */
export async function foreignFiles(
  paths: readonly string[],
  cluster: Cluster,
  clusters: readonly Cluster[],
  reader: RepositoryReader,
): Promise<ReadonlyMap<string, string>> {
  const elsewhere = new Set(
    clusters.filter(({ fluxFolder }) => fluxFolder !== cluster.fluxFolder).map(({ name }) => name),
  );
  const askAll = (asked: readonly string[]): Promise<[string, string | undefined][]> =>
    Promise.all(asked.map(async (path) => [path, await reader.writtenFor(path)]));
  const theirs = (await askAll(paths)).flatMap(([path, name]) =>
    name !== undefined && elsewhere.has(name) ? [[path, name] as const] : [],
  );
  if (theirs.length === 0) return new Map();
  const all = (await reader.list(cluster.fluxFolder)) ?? [];
  const files = all
    .filter(({ kind }) => kind === "file")
    .map(({ name }) => (cluster.fluxFolder === "" ? name : `${cluster.fluxFolder}/${name}`));
  const wasHere = (await askAll(files)).some(([, name]) => name === cluster.name);
  return new Map(wasHere ? [] : theirs);
}
