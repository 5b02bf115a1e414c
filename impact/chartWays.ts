import type { Cluster } from "../fleet/model.ts";
import { chartsOf, type comparing, type ViewOf } from "./charts.ts";
import type { Subjects } from "./sides.ts";

/** A cluster on a side, with what its sources have there. */
interface ChartSide {
  readonly cluster: Cluster;
  readonly subjects: Subjects;
  readonly viewOf: ViewOf;
}

/**
 * By set, files that differ and that helm takes past it: charts in the fleet's own repository. What a source leaves out
 * (`.sourceignore`) is of everything that takes it, and counts for the bootstrap.
 */
export async function chartFiles(
  before: ChartSide,
  after: ChartSide,
  changed: ReturnType<typeof comparing>,
  bootstrap: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const files = new Map<string, Set<string>>();
  const look = async (set: string, source: string, path: string): Promise<void> => {
    const [one, other] = await Promise.all(
      [before, after].map(({ cluster, viewOf }) => viewOf(cluster, source)),
    );
    const found = await changed(one, other, path);
    if (found.length > 0) files.set(set, new Set([...(files.get(set) ?? []), ...found]));
  };
  const own = [before, after].flatMap(({ cluster }) => [
    cluster.config,
    ...cluster.sources.flatMap(({ name, self }) => (self ? [name] : [])),
  ]);
  for (const source of new Set(own)) await look(bootstrap, source, ".sourceignore");
  for (const { subjects } of [before, after])
    for (const [set, subject] of subjects) {
      // One that comes or goes is told as that.
      if (!before.subjects.has(set) || !after.subjects.has(set)) continue;
      for (const { source, paths } of chartsOf(subject))
        for (const path of paths) await look(set, source, path);
    }
  return new Map([...files].map(([set, all]) => [set, [...all].sort()]));
}
