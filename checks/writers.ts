import type { Cluster } from "../fleet/model.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/** Clusters that are asked who wrote them: one fleet file has few stacks. */
const asked = 20;

/** Projects and stacks, such as `edge/prod`, that last wrote the flux folders of clusters. */
export async function writersOf(
  clusters: readonly Cluster[],
  reader: RepositoryReader,
): Promise<ReadonlySet<string>> {
  const changes = await Promise.all(
    clusters.slice(0, asked).map(({ fluxFolder }) => reader.lastChange(fluxFolder)),
  );
  return new Set(changes.flatMap((change) => change?.writer ?? []));
}
