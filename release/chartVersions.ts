import type { Fault } from "../checks/fault.ts";
import type { ClusterSubject, Subject } from "../judge/index.ts";
import { asMap, asText } from "../values/maps.ts";
import { showSome } from "../values/show.ts";

/**
 * HelmReleases whose chart version is a variable: the tag would not say which chart runs, and a change of the variable would
 * pass by every pin. Once for each release, however many clusters take it.
 */
export function variableChartVersions(
  clusters: readonly ClusterSubject[],
  counts: (cluster: Subject["cluster"], set: string) => boolean,
): Fault[] {
  const found = new Map<string, { readonly fault: Fault; readonly clusters: string[] }>();
  for (const { cluster, subjects } of clusters) {
    for (const { set, build } of subjects) {
      if (build.kind !== "built" || !counts(cluster, set.name)) continue;
      for (const { kind, group, name, value, file } of build.objects) {
        const version = asText(asMap(asMap(asMap(value["spec"])["chart"])["spec"])["version"]);
        if (group !== "helm.toolkit.fluxcd.io" || kind !== "HelmRelease" || !version?.includes("${"))
          continue;
        const message = `${file ?? `set ${set.name}`}: HelmRelease ${name} has the chart version ${version}: the tag does not say which chart runs. Write the version itself`;
        const path = ["clusters", cluster.name, "sets", set.name];
        const known = found.get(message) ?? {
          fault: { severity: "warning", path, message } as const,
          clusters: [],
        };
        found.set(message, known);
        known.clusters.push(cluster.name);
      }
    }
  }
  return [...found.values()].map(({ fault, clusters: on }) => ({
    ...fault,
    message: `${fault.message} (on ${showSome(on)})`,
  }));
}
