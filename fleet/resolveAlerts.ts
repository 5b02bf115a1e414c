import { matches } from "./layers.ts";
import type { Alert, ClusterSet } from "./model.ts";
import type { FleetFile } from "./schema.ts";

/** The alerts of a cluster, sorted by name; one that would report on none of its sets is left out. */
export function resolveAlerts(
  file: FleetFile,
  labels: Readonly<Record<string, string>>,
  sets: readonly ClusterSet[],
): Alert[] {
  return Object.keys(file.alerts)
    .sort()
    .flatMap((name) => {
      const { match, sets: wanted, provider, ...spec } = file.alerts[name]!;
      if (!matches(labels, Object.entries(match ?? {}))) return [];
      const of = wanted && new Set(wanted);
      const names = sets.map((set) => set.name).filter((set) => of?.has(set) ?? true);
      if (names.length === 0) return [];
      return [{ name, provider, spec, sets: names, ...(wanted === undefined && { everything: true }) }];
    });
}
